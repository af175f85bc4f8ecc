// What durations of this seam must be: a wish that is capped afterwards, or a delay that a timer is set to as it stands.

import { maxTimerDelayMs } from '../errors/contract-texts.js'
import { type InvalidInput, invalidRange, invalidType } from '../errors/invalid-input.js'

const positive = 'must be a positive finite number'

/** A sentence that other programs rely on, word for word up to its semicolon. */
export function checkTimeout(option: string, value: unknown): void {
  if (isPositive(value)) return
  throw Object.assign(refuse(`bash-local: ${option}`, value, positive), { option })
}

export function isDelay(value: unknown): value is number {
  return isPositive(value) && value <= maxTimerDelayMs
}

export const delayProblem = `${positive} no greater than ${maxTimerDelayMs}`

export function checkDelay(option: string, value: unknown): void {
  if (!isDelay(value)) throw refuse(option, value, delayProblem)
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0
}

function refuse(option: string, value: unknown, problem: string): Error & InvalidInput {
  return typeof value === 'number' ? invalidRange(option, value, problem) : invalidType(option, value, problem)
}
