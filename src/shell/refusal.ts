// Every sentence in which this executor refuses input starts alike and names the field and the value.

import { type InvalidInput, invalidRange, invalidType } from '../errors/invalid-input.js'
import type { Rule } from './limits.js'

/** `refuse('request.command', 5, 'must be a string')`: "bash-local: request.command must be a string; got 5". */
export function refuse(option: string, value: unknown, problem: string): Error & InvalidInput {
  const make = typeof value === 'number' ? invalidRange : invalidType
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
    if (!known.has(key)) throw refuse(`${name}.${key}`, (given as Record<string, unknown>)[key], 'is not a known option')
  }
}
