// Which range the fallback has, as it tells it: a scope where a user manager makes them, a process group elsewhere.

import { rangeUnavailable } from '../../errors/range-unavailable.js'
import type { RangeKind, RangeReport } from '../types.js'
import { whyNoScope } from './scope/probe.js'

type Wish = readonly RangeKind[] | undefined
type Reason = RangeReport['reasons'][number]

const noCgroup: Reason = {
  kind: 'cgroup',
  reason: 'child_process cannot start a command inside a cgroup; the native core can'
}
const noSupervisor: Reason = {
  kind: 'supervisor',
  reason: 'child_process cannot make itself the parent of what a command leaves behind'
}

/** Asks systemd, for as long as that takes, the first time that a scope is allowed and there is somebody to ask. */
export function nodeRange(ranges: Wish): RangeReport {
  const reason = isAllowed(ranges, 'scope') ? whyNoScope() : 'the option ranges leaves it out'
  if (reason === null) return { kind: 'scope', reasons: [noCgroup] }
  return { kind: 'group', reasons: [noCgroup, { kind: 'scope', reason }, noSupervisor] }
}

/** @throws Error with code `RANGE_UNAVAILABLE` when none of `ranges` can be had. */
export function checkNodeRanges(ranges: Wish): void {
  if (ranges === undefined || ranges.includes('group')) return
  const { kind, reasons } = nodeRange(ranges)
  if (isAllowed(ranges, kind)) return
  const offered = whyNoScope() === null ? ['scope', 'group'] : ['group']
  throw rangeUnavailable(
    ranges,
    offered,
    reasons.filter((entry) => ranges.includes(entry.kind)).map(({ reason }) => reason)
  )
}

export function isAllowed(ranges: Wish, kind: RangeKind): boolean {
  return ranges === undefined || ranges.includes(kind)
}
