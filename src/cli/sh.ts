// `quiesce sh`: a command text for bash. With --json through the shell executor; otherwise the same spawn with stdout and
// stderr of this process, so that every byte passes as it is written. A runner that fails then says so there by itself.

import type { Context } from '../context/compose-context.js'
import { bashCommand, type PreparedCommand } from '../shell/bash-command.js'
import { confinedCommand } from '../shell/confined-command.js'
import { spawnSpec } from '../shell/spawn-spec.js'
import { StartedExecution } from '../shell/started-execution.js'
import type { ShellExecSpec, ShellExecution } from '../shell/types.js'
import type { SandboxedOptions } from './command-options.js'
import { limitsOf } from './limit-options.js'
import { perform, type Start } from './perform.js'

function prepare(
  { sandbox }: Context,
  { command, sandboxPolicy }: ShellExecSpec,
  signal: AbortSignal
): PreparedCommand | Promise<PreparedCommand> {
  if (sandbox === undefined || sandboxPolicy === undefined) return bashCommand(command)
  return confinedCommand(command, sandbox, sandboxPolicy, { signal })
}

async function startOnOwnStreams(context: Context, spec: ShellExecSpec, signal: AbortSignal): Promise<ShellExecution> {
  const startedAt = performance.now()
  const command = await prepare(context, spec, signal)
  signal.throwIfAborted()
  const collected = spawnSpec(spec, command, Math.max(spec.timeoutMs - (performance.now() - startedAt), 1))
  const stdio = { ...collected.stdio, stdout: 'inherit', stderr: 'inherit' } as const
  return new StartedExecution(context.subprocess.spawn({ ...collected, stdio }), spec, command.confinement)
}

export function sh(command: string, options: SandboxedOptions): Promise<number> {
  const start: Start = async (context, signal) => {
    const spec = context.shell.resolve({
      command,
      timeoutMs: options.timeout,
      onExpiry: options.timeout === undefined ? 'none' : 'kill',
      env: options.env,
      leftovers: options.leftovers,
      limits: limitsOf(options),
      signal
    })
    return options.json ? context.shell.execute(spec) : startOnOwnStreams(context, spec, signal)
  }
  return perform(options, start)
}
