// Checks a value against a schema and turns the first issue into the error that all bad input of this package gets.

import type { ZodType } from 'zod'
import { invalidRange, invalidType } from '../errors/invalid-input.js'

type Path = readonly PropertyKey[]

/** Marks the check of a number: a number that it refuses is out of range, whatever else it refuses is of a wrong type. */
export const ofNumber = { belongs: 'number' } as const

function valueAt(input: unknown, path: Path): unknown {
  return path.reduce((value, key) => (value as Record<PropertyKey, unknown> | null | undefined)?.[key], input)
}

/** `['shell', 'timeoutMs']` as `shell.timeoutMs`, `['ranges', 0]` as `ranges[0]`. */
function nameOf(path: Path): string {
  return path.reduce<string>((name, key) => {
    if (typeof key === 'number') return `${name}[${key}]`
    return name === '' ? String(key) : `${name}.${String(key)}`
  }, '')
}

function refuse(
  make: typeof invalidType | typeof invalidRange,
  subject: string,
  input: unknown,
  path: Path,
  problem: string,
  whole: string
) {
  const option = path.length === 0 ? whole : nameOf(path)
  return Object.assign(make(`${subject}: ${option}`, valueAt(input, path), problem), { option })
}

/**
 * @param subject Whose input it is, the first word of every error.
 * @param whole What errors call the input itself.
 * @throws TypeError or RangeError with the code EINVAL that names the option by its path, and the value.
 */
export function parse<T>(schema: ZodType<T>, input: unknown, subject: string, whole = 'options'): T {
  const parsed = schema.safeParse(input)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]
  if (issue?.code === 'unrecognized_keys') {
    throw refuse(invalidType, subject, input, [...issue.path, ...issue.keys.slice(0, 1)], 'is an unknown option', whole)
  }
  const path = issue?.path ?? []
  const numberBelongs = issue?.code === 'too_small' || (issue?.code === 'custom' && issue.params === ofNumber)
  const make = numberBelongs && typeof valueAt(input, path) === 'number' ? invalidRange : invalidType
  throw refuse(make, subject, input, path, issue?.message ?? 'is not valid', whole)
}
