// The settings of the soak's contexts: small, so that every limit is met often.

export const maxOutputBytes = 64_000
export const maxSpillBytes = 1_000_000
export const graceMs = 1000

/** Processes that nobody ends, since their range cannot hold them, end by themselves after so long. */
export const leftoverSeconds = 2
