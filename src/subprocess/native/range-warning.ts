// Told once for each process: commands run in a range that cannot hold everything they start.

import type { RuntimeWarning } from '../local/options.js'
import type { RangeReport } from '../types.js'

let warned = false

export function warnOfWeakRange(
  { kind, reasons }: RangeReport,
  onWarning: ((warning: RuntimeWarning) => void) | undefined
): void {
  if (kind === 'cgroup' || warned || onWarning === undefined) return
  warned = true
  const because = reasons.map((entry) => `no ${entry.kind} range: ${entry.reason}`).join('; ')
  onWarning({
    code: 'QUIESCE_WEAK_RANGE',
    message:
      'commands are held together by process groups only: a process that leaves the group of its command is neither seen ' +
      `nor ended (${because})`
  })
}
