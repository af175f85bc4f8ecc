// `quiesce sh`: a command text for bash. With --json through the shell executor; otherwise the same spawn with stdout and
// stderr of this process, so that every byte passes as it is written.

import { bashCommand } from '../shell/bash-command.js'
import { spawnSpec } from '../shell/spawn-spec.js'
import { StartedExecution } from '../shell/started-execution.js'
import type { CommandOptions } from './command-options.js'
import { perform, type Start } from './perform.js'

export function sh(command: string, options: CommandOptions): Promise<number> {
  const start: Start = async (context, signal) => {
    const spec = context.shell.resolve({
      command,
      timeoutMs: options.timeout,
      onExpiry: options.timeout === undefined ? 'none' : 'kill',
      env: options.env,
      leftovers: options.leftovers,
      signal
    })
    if (options.json) return context.shell.execute(spec)
    signal.throwIfAborted()
    const collected = spawnSpec(spec, bashCommand(command), spec.timeoutMs)
    const stdio = { ...collected.stdio, stdout: 'inherit', stderr: 'inherit' } as const
    return new StartedExecution(context.subprocess.spawn({ ...collected, stdio }), spec)
  }
  return perform(options, start)
}
