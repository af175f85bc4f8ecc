// Starts a terminal through node-pty. What the forked child could only print is looked at beforehand, so that a missing
// folder or program is an error and not the output of a command that ended.

import * as fs from 'node:fs'
import { SubprocessError } from '../../../errors/subprocess-error.js'
import type { LocalTerminal, PreparedTerminal } from '../../local/terminal-driver.js'
import { programFault } from '../scope/program-fault.js'
import { errnoOf, folderFault } from '../start-error.js'
import { loadPty } from './load-pty.js'
import { NodeTerminal } from './node-terminal.js'

export async function startNodeTerminal(prepared: PreparedTerminal): Promise<LocalTerminal> {
  const { binding, helper } = loadPty()
  checkStart(prepared)
  const { argv, cwd, environment, rows, cols } = prepared
  const [program = '', ...args] = argv
  const env = [...environment].map(([name, value]) => `${name}=${value}`)
  let tellExit: (facts: ExitFacts) => void = () => {}
  const exit = new Promise<ExitFacts>((resolve) => {
    tellExit = resolve
  })
  const onExit = (exitCode: number, signal: number): void => tellExit({ exitCode, signal })
  let forked: ReturnType<typeof binding.fork>
  try {
    forked = binding.fork(program, args, env, cwd, cols, rows, -1, -1, true, helper, onExit)
  } catch {
    // It tells no errno; of what forkpty needs, the pseudoterminals are the scarcest.
    throw new SubprocessError({ stage: 'clone', errno: errnoOf('EAGAIN'), argv0: program })
  }
  // In the same turn: from here on the kernel keeps what the command writes, however soon it ends.
  const commandEnd = fs.openSync(forked.pty, fs.constants.O_RDWR | fs.constants.O_NOCTTY)
  return new NodeTerminal(forked, commandEnd, binding, prepared.graceMs, exit)
}

export interface ExitFacts {
  readonly exitCode: number
  /** A number; 0 for none. */
  readonly signal: number
}

function checkStart({ argv, cwd, environment }: PreparedTerminal): void {
  const argv0 = argv[0] ?? ''
  const folderErrno = folderFault(cwd)
  if (folderErrno !== null) throw new SubprocessError({ stage: 'chdir', errno: folderErrno, argv0, path: cwd })
  const fault = programFault({ argv, cwd, environment })
  if (fault !== null) throw new SubprocessError({ stage: 'exec', errno: errnoOf(fault), argv0, path: argv0 })
}
