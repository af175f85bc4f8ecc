// The errors for a runtime that is asked for ranges which it cannot offer here: only certain kinds, or a certain folder.

/** What such an error carries beside its message. */
export interface RangeUnavailable {
  readonly code: 'RANGE_UNAVAILABLE'
  readonly option: 'ranges' | 'cgroupParent'
  readonly value: readonly string[] | string
}

/** `offered` is what the runtime could use; `reasons` says why each wanted kind is not among it, where that is known. */
export function rangeUnavailable(
  value: readonly string[],
  offered: readonly string[],
  reasons: readonly string[] = []
): Error & RangeUnavailable {
  const because = reasons.length > 0 ? ` (${reasons.join('; ')})` : ''
  const message = `ranges allows only ${value.join(', ')}, and this runtime has only ${offered.join(', ')}${because}`
  return Object.assign(new Error(message), { code: 'RANGE_UNAVAILABLE' as const, option: 'ranges' as const, value })
}

export function parentUnavailable(value: string, reason: string): Error & RangeUnavailable {
  const message = `cgroupParent ${JSON.stringify(value)} cannot be used: ${reason}`
  return Object.assign(new Error(message), {
    code: 'RANGE_UNAVAILABLE' as const,
    option: 'cgroupParent' as const,
    value
  })
}
