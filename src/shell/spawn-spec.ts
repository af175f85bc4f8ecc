// One shell spec and its prepared command as what the subprocess seam is asked for.

import type { SubprocessSpawnSpec } from '../subprocess/types.js'
import type { PreparedCommand } from './bash-command.js'
import { shellEnvironment } from './environment.js'
import type { ShellExecSpec } from './types.js'

/** `remainingMs` is what preparation left of the deadline. */
export function spawnSpec(spec: ShellExecSpec, command: PreparedCommand, remainingMs: number): SubprocessSpawnSpec {
  const spill = { maxBytes: spec.maxSpillBytes }
  return {
    argv: command.argv,
    cwd: spec.workdir,
    stdio: {
      stdin: spec.stdin === undefined ? 'ignore' : { data: spec.stdin },
      stdout: { maxBytes: spec.stdoutMaxBytes, spill },
      stderr: { maxBytes: spec.stderrMaxBytes, spill },
      attachment: command.attachment === undefined ? undefined : { data: command.attachment }
    },
    graceMs: spec.graceMs,
    signal: spec.signal,
    env: shellEnvironment(spec),
    deadlineMs: spec.onExpiry === 'kill' ? remainingMs : undefined,
    leftovers: spec.leftovers,
    limits: spec.limits,
    ...(command.prepared && { confinement: command.prepared })
  }
}
