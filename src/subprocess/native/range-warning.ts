// Told once for each process: commands run in a range that cannot hold everything they start.

import type { RuntimeWarning } from '../local/options.js'
import type { RangeKind, RangeReport } from '../types.js'

/** What the weaker kinds do not hold. */
const weaknesses: Partial<Record<RangeKind, string>> = {
  supervisor:
    'commands are held together by a supervisor process each: a command can kill its supervisor, which ends the command ' +
    'but loses what has left its process group; a fork bomb is only ended as fast as its processes can be signalled one by one',
  group:
    'commands are held together by process groups only: a process that leaves the group of its command is neither seen ' +
    'nor ended'
}

let warned = false

export function warnOfWeakRange(
  { kind, reasons }: RangeReport,
  onWarning: ((warning: RuntimeWarning) => void) | undefined
): void {
  const weakness = weaknesses[kind]
  if (weakness === undefined || warned || onWarning === undefined) return
  warned = true
  const because = reasons.map((entry) => `no ${entry.kind} range: ${entry.reason}`).join('; ')
  onWarning({ code: 'QUIESCE_WEAK_RANGE', message: `${weakness} (${because})` })
}
