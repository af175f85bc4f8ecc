// What durations and sizes of this seam must be, each rule beside its sentence. Requests, specs, settings and the
// options of a context are all held to these.

/** The longest delay of a timer of Node (2^31 - 1 ms). */
export const MAX_TIMER_DELAY_MS = 2_147_483_647

export interface Rule {
  readonly accepts: (value: unknown) => boolean
  readonly problem: string
}

const isPositive = (value: unknown): value is number =>
  typeof value === 'number' && Number.isFinite(value) && value > 0

/** A wish for a duration, capped afterwards. */
export const positiveDuration: Rule = { accepts: isPositive, problem: 'must be a positive finite number' }

/** A duration that a timer is set to as it stands. */
export const timerDuration: Rule = {
  accepts: (value) => isPositive(value) && value <= MAX_TIMER_DELAY_MS,
  problem: `must be a positive finite number no greater than ${MAX_TIMER_DELAY_MS}`
}

export const byteCount: Rule = {
  accepts: (value) => Number.isSafeInteger(value) && (value as number) > 0,
  problem: 'must be a positive whole number of bytes'
}
