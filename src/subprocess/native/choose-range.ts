// Which range a native runtime uses: the strongest that a real probe proves, and why each stronger one was not taken.

import { parentUnavailable, rangeUnavailable } from '../../errors/range-unavailable.js'
import type { NativeBinding, NativeRangeOptions } from '../../native/binding.js'
import type { RangeKind, RangeReport } from '../types.js'
import type { Probed, RangeCandidate, RangeSettings } from './ranges/candidate.js'
import { cgroupRange } from './ranges/cgroup.js'
import { groupRange } from './ranges/group.js'
import { scopeRange } from './ranges/scope.js'
import { supervisorRange } from './ranges/supervisor.js'

export interface ChosenRange extends RangeReport {
  readonly options: NativeRangeOptions
}

export interface RangeWish extends RangeSettings {
  /** The kinds that may be used; absent: every one. */
  readonly ranges?: readonly RangeKind[] | undefined
}

/** Strongest first. */
const candidates: readonly RangeCandidate[] = [cgroupRange, scopeRange, supervisorRange, groupRange]

const leftOut: Probed = { reason: 'the option ranges leaves it out' }

/** @throws Error with code `RANGE_UNAVAILABLE` when what is asked for cannot be had. */
export function chooseRange(binding: NativeBinding, { ranges, ...settings }: RangeWish): ChosenRange {
  const reasons: RangeReport['reasons'][number][] = []
  for (const { kind, probe } of candidates) {
    const probed = ranges === undefined || ranges.includes(kind) ? probe(binding, settings) : leftOut
    if ('options' in probed) return { kind, reasons, options: probed.options }
    // Whoever names a folder wants that folder, not something weaker.
    if (kind === 'cgroup' && settings.cgroupParent !== undefined) {
      throw parentUnavailable(settings.cgroupParent, probed.reason)
    }
    reasons.push({ kind, reason: probed.reason })
  }
  throw unavailable(binding, ranges ?? [], reasons)
}

function unavailable(binding: NativeBinding, ranges: readonly RangeKind[], reasons: RangeReport['reasons']): Error {
  const offered = candidates.filter(({ kind, probe }) => !ranges.includes(kind) && 'options' in probe(binding, {}))
  return rangeUnavailable(
    ranges,
    offered.map(({ kind }) => kind),
    reasons.filter(({ kind }) => ranges.includes(kind)).map(({ kind, reason }) => `${kind}: ${reason}`)
  )
}
