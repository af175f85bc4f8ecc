// Every sentence in which this executor refuses input starts alike and names the field and the value.

import { type InvalidInput, invalidRange, invalidType } from '../errors/invalid-input.js'
import type { Rule } from './limits.js'

/** A number of the wrong size is a RangeError, everything else a TypeError. */
export function refuse(option: string, value: unknown, problem: string): Error & InvalidInput {
  return refuseWith(typeof value === 'number' ? invalidRange : invalidType, option, value, problem)
}

function refuseWith(make: typeof invalidType | typeof invalidRange, option: string, value: unknown, problem: string) {
  return Object.assign(make(`bash-local: ${option}`, value, problem), { option })
}

export function demand(rule: Rule, option: string, value: unknown): void {
  if (!rule.accepts(value)) throw refuse(option, value, rule.problem)
}

/** @throws if `given` is no plain record or has a key that `known` does not list. */
export function demandKnownKeys(
  given: unknown,
  known: ReadonlySet<string>,
  name: string
): asserts given is Record<string, unknown> {
  if (typeof given !== 'object' || given === null) throw refuse(name, given, 'must be an object')
  for (const key in given) {
    if (!known.has(key)) {
      throw refuseWith(invalidType, `${name}.${key}`, (given as Record<string, unknown>)[key], 'is not a known option')
    }
  }
}
