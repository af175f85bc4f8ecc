// A cgroup folder for each command in a systemd scope: for hosts that may not make such folders where they are, but
// whose user has a systemd manager (an ssh session, a desktop). One launcher in the scope starts the commands.

import { constants } from 'node:os'
import type { NativeBinding, NativeScopeOptions, NativeSystemError } from '../../../native/binding.js'
import { irreplaceableRunnerPath, runnerPath } from '../../../native/runner-path.js'
import { describeSystemError } from '../system-error.js'
import type { Probed, RangeCandidate } from './candidate.js'

// The probe holds up the event loop; a launcher that is started later holds up only commands.
const probePatienceMs = 2000
const patienceMs = 5000

/** What systemd-run needs to be found and to find the manager of the user. */
const passedOn = ['PATH', 'HOME', 'XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']

/** By what was asked for: a host rarely gains or loses its manager. */
const verdicts = new Map<string, Probed>()

export const scopeRange: RangeCandidate = {
  kind: 'scope',
  probe(binding) {
    if (process.env.XDG_RUNTIME_DIR === undefined && process.env.DBUS_SESSION_BUS_ADDRESS === undefined) {
      return { reason: 'no manager can be asked: neither XDG_RUNTIME_DIR nor DBUS_SESSION_BUS_ADDRESS is set' }
    }
    const runner = scopeRunner()
    if (runner === null) return { reason: 'quiesce-runner is not here' }
    const options = { kind: 'scope', runner, environment: managerEnvironment(), patienceMs } as const
    const key = `${options.environment}${runner}`
    const known = verdicts.get(key)
    if (known !== undefined) return known
    const verdict = tryOut(binding, options)
    verdicts.set(key, verdict)
    return verdict
  }
}

/** Some versions of systemd-run would expand a `$` in the path. */
function scopeRunner(): string | null {
  const path = runnerPath()
  return path?.includes('$') ? irreplaceableRunnerPath() : path
}

function managerEnvironment(): string {
  const own = passedOn.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [`${name}=${value}\0`]
  })
  // What systemd-run says is told to people, and must not depend on their language.
  return `${own.join('')}LC_ALL=C\0`
}

function tryOut(binding: NativeBinding, options: NativeScopeOptions): Probed {
  const failure = binding.probeScope({ ...options, patienceMs: probePatienceMs })
  return failure === null ? { options } : { reason: reasonOf(failure) }
}

function reasonOf(failure: NativeSystemError): string {
  const { errno } = constants
  const { syscall, path } = failure
  if (syscall === 'execve' && failure.errno === errno.ENOENT) return 'there is no systemd-run'
  if (syscall !== 'systemd-run') return `its commands cannot be started: ${describeSystemError(failure)}`
  if (failure.errno === errno.ETIMEDOUT) return `systemd-run had started nothing within ${probePatienceMs} ms`
  if (failure.errno === errno.EPROTO) return 'systemd-run started the launcher under another process id'
  return path === '' ? describeSystemError(failure) : `systemd-run refused: ${path.replace(/\s*\n\s*/g, '; ')}`
}
