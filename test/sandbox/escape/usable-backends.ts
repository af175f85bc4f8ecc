// The backends that confine, and what of the machine each needs.

import { backendProbes } from '../../fixtures/sandbox/real-backends.js'
import type { FeatureProbe } from '../../setup/features.js'
import type { BackendName } from './backends.js'

export const confiningBackends: readonly (readonly [Exclude<BackendName, 'none'>, FeatureProbe])[] = [
  ['native', backendProbes.native],
  ['prepared', backendProbes.native],
  ['bwrap', backendProbes.bwrap],
  ['landlock', backendProbes.landlock]
]

/** Fails with the first reason of several probes. */
export const all = (...probes: readonly FeatureProbe[]): FeatureProbe => {
  return () => {
    for (const probe of probes) {
      const answer = probe()
      if (answer !== true) return answer
    }
    return true
  }
}

export const users = { root: 0, 'an ordinary user': 4242 } as const
export const confinedModes = ['read-only', 'workspace-write'] as const
