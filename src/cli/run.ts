// `quiesce run`: a program with its arguments, no shell. Its stdout and stderr are this process's own unless --json.

import { defaultShellSettings } from '../shell/settings.js'
import { StartedExecution } from '../shell/started-execution.js'
import type { SubprocessHandle, SubprocessSpawnSpec } from '../subprocess/types.js'
import type { CommandOptions } from './command-options.js'
import { limitsOf } from './limit-options.js'
import { perform, type Start } from './perform.js'

function runSpec(argv: readonly string[], options: CommandOptions, signal: AbortSignal): SubprocessSpawnSpec {
  const { maxOutputBytes, maxSpillBytes, graceMs } = defaultShellSettings
  const collect = { maxBytes: options.maxOutput ?? maxOutputBytes, spill: { maxBytes: maxSpillBytes } }
  return {
    argv,
    cwd: options.cwd ?? process.cwd(),
    stdio: {
      // A terminal stays with this process: the command is in a session of its own and could not be stopped from it.
      stdin: process.stdin.isTTY ? 'ignore' : 'pipe',
      stdout: options.json ? collect : 'inherit',
      stderr: options.json ? collect : 'inherit'
    },
    graceMs: options.grace ?? graceMs,
    signal,
    env: options.env,
    deadlineMs: options.timeout,
    leftovers: options.leftovers,
    limits: limitsOf(options)
  }
}

/**
 * Passes this process's stdin on. A command that does not read it, or not all of it, is no error. `pipe` is not used: it
 * touches `process.stdout` and `process.stderr`, see report.ts.
 */
function forwardInput({ stdin }: SubprocessHandle): void {
  if (stdin === null) return
  process.stdin.on('data', (chunk) => {
    if (!stdin.write(chunk)) process.stdin.pause()
  })
  process.stdin.on('end', () => stdin.end())
  process.stdin.on('error', () => stdin.end())
  stdin.on('drain', () => process.stdin.resume())
  stdin.on('error', () => process.stdin.destroy())
}

export function run(argv: readonly string[], options: CommandOptions): Promise<number> {
  const start: Start = async (context, signal) => {
    signal.throwIfAborted()
    const handle = context.subprocess.spawn(runSpec(argv, options, signal))
    forwardInput(handle)
    return new StartedExecution(handle, {
      signal,
      leftovers: options.leftovers,
      timeoutMs: options.timeout ?? 0,
      workdir: options.cwd ?? process.cwd()
    })
  }
  return perform(options, start)
}
