// Which range a native runtime uses: the strongest that a real probe proves, and why each stronger one was not taken.

import { rangeUnavailable } from '../../errors/range-unavailable.js'
import type { NativeBinding, NativeSystemError } from '../../native/binding.js'
import type { RangeKind, RangeReport } from '../types.js'
import { describeSystemError } from './system-error.js'

export interface ChosenRange extends RangeReport {
  readonly cgroupFolder: string | null
}

export interface RangeWish {
  readonly ranges?: readonly RangeKind[] | undefined
  readonly cgroupParent?: string | undefined
}

/** @throws Error with code `RANGE_UNAVAILABLE` when what is asked for cannot be had. */
export function chooseRange(binding: NativeBinding, { ranges, cgroupParent }: RangeWish): ChosenRange {
  const reasons: { kind: RangeKind; reason: string }[] = []
  const allowed = (kind: RangeKind): boolean => ranges === undefined || ranges.includes(kind)
  if (allowed('cgroup')) {
    const { folder, failure } = binding.probeCgroup(cgroupParent ?? null)
    if (failure === null) return { kind: 'cgroup', reasons, cgroupFolder: folder }
    reasons.push({ kind: 'cgroup', reason: cgroupReason(folder, failure) })
  } else {
    reasons.push({ kind: 'cgroup', reason: notAllowed })
  }
  // Whoever names a folder wants that folder, not something weaker.
  if (cgroupParent !== undefined || !allowed('group')) {
    throw rangeUnavailable(
      cgroupParent === undefined ? (ranges ?? []) : ['cgroup'],
      ['group'],
      reasons.map(({ reason }) => reason)
    )
  }
  return { kind: 'group', reasons, cgroupFolder: null }
}

const notAllowed = 'the option ranges leaves it out'

function cgroupReason(folder: string | null, failure: NativeSystemError): string {
  if (folder !== null) return `${folder} cannot hold commands: ${describeSystemError(failure)}`
  if (failure.errno === 18) return `the cgroup v2 folder of this process, ${failure.path}, is not visible here`
  return 'no cgroup v2 file system is mounted'
}
