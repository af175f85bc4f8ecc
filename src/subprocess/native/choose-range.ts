// Which range a native runtime uses: the strongest that a real probe proves, and why each stronger one was not taken.

import { parentUnavailable, rangeUnavailable } from '../../errors/range-unavailable.js'
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

type Reason = RangeReport['reasons'][number]

const unknownHere = 'this version has no such range'
const leftOut = 'the option ranges leaves it out'

/** @throws Error with code `RANGE_UNAVAILABLE` when what is asked for cannot be had. */
export function chooseRange(binding: NativeBinding, { ranges, cgroupParent }: RangeWish): ChosenRange {
  const allowed = (kind: RangeKind): boolean => ranges === undefined || ranges.includes(kind)
  const cgroup = allowed('cgroup') ? probe(binding, cgroupParent) : { reason: leftOut, cgroupFolder: null }
  if (cgroup.reason === null) return { kind: 'cgroup', reasons: [], cgroupFolder: cgroup.cgroupFolder }
  // Whoever names a folder wants that folder, not something weaker.
  if (cgroupParent !== undefined) throw parentUnavailable(cgroupParent, cgroup.reason)
  const reasons: Reason[] = [
    { kind: 'cgroup', reason: cgroup.reason },
    { kind: 'scope', reason: unknownHere },
    { kind: 'supervisor', reason: unknownHere }
  ]
  if (ranges !== undefined && !ranges.includes('group')) throw unavailable(binding, ranges, reasons)
  return { kind: 'group', reasons, cgroupFolder: null }
}

function unavailable(binding: NativeBinding, ranges: readonly RangeKind[], reasons: readonly Reason[]): Error {
  // A kind that was not asked for is offered only if it could be had.
  const offered = !ranges.includes('cgroup') && probe(binding).reason === null ? ['cgroup', 'group'] : ['group']
  const wanted = reasons.filter(({ kind }) => ranges.includes(kind))
  return rangeUnavailable(
    ranges,
    offered,
    wanted.map(({ kind, reason }) => `${kind}: ${reason}`)
  )
}

function probe(binding: NativeBinding, parent?: string): { reason: string | null; cgroupFolder: string | null } {
  const { folder, failure } = binding.probeCgroup(parent ?? null)
  return { reason: failure && cgroupReason(folder, failure), cgroupFolder: folder }
}

function cgroupReason(folder: string | null, failure: NativeSystemError): string {
  // ENOTSUP of fstatfs: CgroupRangeSource::Open in native/range/cgroup_range.cc found another file system.
  if (failure.errno === 95 && failure.syscall === 'fstatfs') return `${folder} is not a cgroup v2 folder`
  if (folder !== null) return `${folder} cannot hold commands: ${describeSystemError(failure)}`
  if (failure.errno === 18) return `the cgroup v2 folder of this process, ${failure.path}, is not visible here`
  return 'no cgroup v2 file system is mounted'
}
