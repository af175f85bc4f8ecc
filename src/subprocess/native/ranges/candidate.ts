// What each kind of range tells of itself: whether this host can have it, by a probe that does the real thing.

import type { NativeBinding, NativeRangeOptions } from '../../../native/binding.js'
import type { RangeKind } from '../../types.js'

/** What a runtime asks of its range beside the kind. */
export interface RangeSettings {
  readonly cgroupParent?: string | undefined
}

/** The range as the core takes it, or why it cannot be had, as the end of a sentence. */
export type Probed = { readonly options: NativeRangeOptions } | { readonly reason: string }

export interface RangeCandidate {
  readonly kind: RangeKind
  probe(binding: NativeBinding, settings: RangeSettings): Probed
}
