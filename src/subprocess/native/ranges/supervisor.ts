// A small process over each command, which is the parent of every orphan below it. Needs no right that an ordinary user in
// a container lacks.

import type { NativeBinding, NativeSystemError } from '../../../native/binding.js'
import { platformName } from '../../../native/load.js'
import { supervisorPath } from '../../../native/runner-path.js'
import { describeSystemError } from '../system-error.js'
import type { Probed, RangeCandidate } from './candidate.js'

/** What was proven once holds for as long as this process lives. */
const proven = new WeakMap<NativeBinding, Probed>()

export const supervisorRange: RangeCandidate = {
  kind: 'supervisor',
  probe(binding) {
    const known = proven.get(binding)
    if (known !== undefined) return known
    const program = supervisorPath()
    if (program === null) {
      return { reason: `the program quiesce-supervisor is not part of this installation (${platformName()})` }
    }
    const failure = binding.probeSupervisor(program)
    if (failure !== null) return { reason: reasonOf(failure) }
    const probed: Probed = { options: { kind: 'supervisor', program } }
    proven.set(binding, probed)
    return probed
  }
}

// Check in native/process/supervisor_probe.cc.
function reasonOf(failure: NativeSystemError): string {
  if (failure.syscall === 'supervisor' && failure.errno === 110) return 'a trial command was not ended within a second'
  if (failure.syscall === 'supervisor' && failure.errno === 10) return 'an orphan of a trial command was not held'
  return `a trial command could not be supervised: ${describeSystemError(failure)}`
}
