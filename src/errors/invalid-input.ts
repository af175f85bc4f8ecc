// Errors for bad input: thrown before anything runs, naming the option and the value.

import { inspect } from 'node:util'

/** What every error for bad input carries beside its message. */
export interface InvalidInput {
  readonly code: 'EINVAL'
  readonly option: string
  readonly value: unknown
}

function describe(option: string, value: unknown, problem: string): string {
  const shown = inspect(value, {
    depth: 1,
    breakLength: Number.POSITIVE_INFINITY,
    maxStringLength: 80,
    maxArrayLength: 5
  })
  return `${option} ${problem}; got ${shown}`
}

/** `invalidType('command', 5, 'must be a string')` says "command must be a string; got 5". */
export function invalidType(option: string, value: unknown, problem: string): TypeError & InvalidInput {
  return Object.assign(new TypeError(describe(option, value, problem)), { code: 'EINVAL' as const, option, value })
}

export function invalidRange(option: string, value: unknown, problem: string): RangeError & InvalidInput {
  return Object.assign(new RangeError(describe(option, value, problem)), { code: 'EINVAL' as const, option, value })
}

/** For a value that may be a secret, such as that of an environment variable: the error neither shows nor carries it. */
export function invalidSecret(option: string, problem: string): TypeError & InvalidInput {
  const fields = { code: 'EINVAL' as const, option, value: undefined }
  return Object.assign(new TypeError(`${option} ${problem}`), fields)
}
