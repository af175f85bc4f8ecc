// Errors for bad input: thrown before anything runs, naming the option and the value.

import { inspect } from 'node:util'

/** What every error for bad input carries beside its message. */
export interface InvalidInput {
  readonly code: 'EINVAL'
  /** The option by its path, such as `shell.timeoutMs`. */
  readonly option: string
  /** What was given; `undefined` where it may be a secret. */
  readonly value: unknown
}

/** Without asking the value for a text of its own: what it would throw is not what the caller did wrong. */
function show(value: unknown): string {
  try {
    return inspect(value, {
      depth: 1,
      breakLength: Number.POSITIVE_INFINITY,
      maxStringLength: 80,
      maxArrayLength: 5,
      customInspect: false
    })
  } catch {
    return `a value of type ${typeof value}`
  }
}

function describe(option: string, value: unknown, problem: string): string {
  return `${option} ${problem}; got ${show(value)}`
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
