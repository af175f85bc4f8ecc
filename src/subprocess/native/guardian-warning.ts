// Told once for each process: there is no guardian, so what a killed host ran goes on.

import type { RuntimeWarning } from '../local/options.js'
import { describeSystemError } from './system-error.js'

let warned = false

/** @param errno 0 for a guardian that ended by itself. */
export function warnOfNoGuardian(
  runner: string,
  errno: number,
  onWarning: ((warning: RuntimeWarning) => void) | undefined
): void {
  if (warned || onWarning === undefined) return
  warned = true
  onWarning({
    code: 'QUIESCE_UNGUARDED',
    message:
      'commands would outlive this process if it were killed, since their guardian cannot be started ' +
      `(${reasonOf(runner, errno)})`
  })
}

function reasonOf(runner: string, errno: number): string {
  if (runner === '') return 'the program quiesce-runner is missing'
  if (errno === 0) return `${runner} ended by itself`
  return describeSystemError({ errno, syscall: 'spawn', path: runner })
}
