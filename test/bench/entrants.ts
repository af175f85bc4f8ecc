// Who takes part: the programs below test/bench/contenders, each with what starts it.

import { bunProgram, denoProgram, peerVersion } from './peers.js'

export interface Entrant {
  /** Its file in test/bench/contenders. */
  readonly name: string
  /** With the version that is installed. */
  readonly title: string
  /** Program and arguments before the file; `null` when it is not installed here. */
  readonly runtime: readonly string[] | null
  /** What a program imports to use it, for the scenario that times the import. */
  readonly module: string | null
}

const node: readonly string[] = [process.execPath]

function peer(name: string, packageName: string, title = name): Entrant {
  const version = peerVersion(packageName)
  return { name, title: `${title} ${version}`, runtime: version === null ? null : node, module: packageName }
}

function runtime(name: string, title: string, program: string | null, args: readonly string[]): Entrant {
  const command = program === null ? null : [program, ...args]
  return { name, title: `${title} ${peerVersion(name)}`, runtime: command, module: null }
}

export function entrants(): Entrant[] {
  return [
    { name: 'quiesce-spawn', title: 'quiesce spawn', runtime: node, module: 'quiesce' },
    { name: 'quiesce-run', title: 'quiesce shell.run', runtime: node, module: null },
    { name: 'child-process', title: 'Node child_process', runtime: node, module: 'node:child_process' },
    peer('execa', 'execa'),
    peer('tinyexec', 'tinyexec'),
    peer('nano-spawn', 'nano-spawn'),
    peer('dsh-local', '@deepseek-ai/dsh-subprocess-local', 'DSH local runtime'),
    runtime('bun', 'Bun', bunProgram(), []),
    runtime('deno', 'Deno', denoProgram(), ['run', '--allow-all', '--no-config', '--no-lock'])
  ]
}
