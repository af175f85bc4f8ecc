// The preflight errors whose sentences other programs rely on, word for word.

import type { InvalidInput } from './invalid-input.js'

/** The largest delay of Node's timers; a larger one would fire at once. */
export const maxTimerDelayMs = 2_147_483_647

export function invalidGrace(value: unknown): Error & InvalidInput {
  const message = `subprocess graceMs must be a positive finite number no greater than ${maxTimerDelayMs}`
  const error = typeof value === 'number' ? new RangeError(message) : new TypeError(message)
  return Object.assign(error, { code: 'EINVAL' as const, option: 'graceMs', value })
}

export function abortedBeforeSpawn(signal: AbortSignal): Error & InvalidInput {
  const error = new Error(`aborted before spawn: ${String(signal.reason ?? 'aborted')}`, { cause: signal.reason })
  return Object.assign(error, { code: 'EINVAL' as const, option: 'signal', value: signal })
}

export function invalidProgram(value: unknown): TypeError & InvalidInput {
  const error = new TypeError('invalid argv: expected a non-empty program name at argv[0]')
  return Object.assign(error, { code: 'EINVAL' as const, option: 'argv', value })
}

export function emptyTerminalProgram(value: unknown): TypeError & InvalidInput {
  const error = new TypeError('terminal argv must contain a program')
  return Object.assign(error, { code: 'EINVAL' as const, option: 'argv', value })
}
