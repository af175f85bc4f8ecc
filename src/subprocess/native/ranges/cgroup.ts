// A cgroup v2 folder for each command, below the folder of this process or below one that the caller names.

import type { NativeSystemError } from '../../../native/binding.js'
import { describeSystemError } from '../system-error.js'
import type { RangeCandidate } from './candidate.js'

export const cgroupRange: RangeCandidate = {
  kind: 'cgroup',
  probe(binding, { cgroupParent }) {
    const { folder, failure } = binding.probeCgroup(cgroupParent ?? null)
    return failure === null && folder !== null
      ? { options: { kind: 'cgroup', folder } }
      : { reason: reasonOf(folder, failure) }
  }
}

function reasonOf(folder: string | null, failure: NativeSystemError | null): string {
  if (folder !== null && failure !== null) {
    // ENOTSUP of fstatfs: CgroupRangeSource::Open in native/range/cgroup_range.cc found another file system.
    if (failure.errno === 95 && failure.syscall === 'fstatfs') return `${folder} is not a cgroup v2 folder`
    return `${folder} cannot hold commands: ${describeSystemError(failure)}`
  }
  if (failure?.errno === 18) return `the cgroup v2 folder of this process, ${failure.path}, is not visible here`
  return 'no cgroup v2 file system is mounted'
}
