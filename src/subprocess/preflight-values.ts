// The checks that several options share: text that the kernel can take unchanged, sizes, known keys.

import { invalidRange, invalidSecret, invalidType } from '../errors/invalid-input.js'

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** An unknown key is a wish that would be ignored silently, so it is an error. */
export function checkKeys(option: string, value: object, known: ReadonlySet<string>): void {
  for (const key of Object.keys(value)) {
    if (known.has(key)) continue
    const name = option === '' ? key : `${option}.${key}`
    throw invalidType(name, (value as Record<string, unknown>)[key], 'is an unknown option')
  }
}

/**
 * Passes strings that reach a program byte for byte: no NUL byte, which would end them, and no lone surrogate, which has
 * no UTF-8 form. Offsets in messages are UTF-16 units, as `charAt` counts. `part` names an element of the option.
 */
export function checkText(option: string, value: unknown, part?: string | number): asserts value is string {
  const problem = textProblem(value)
  if (problem !== null) throw invalidType(nameOf(option, part), value, problem)
}

/** The same for the value of an environment variable, whose text errors keep to themselves. */
export function checkVariableValue(option: string, value: unknown, name: string): void {
  const problem = textProblem(value)
  if (problem === null) return
  throw typeof value === 'string'
    ? invalidSecret(nameOf(option, name), problem)
    : invalidType(nameOf(option, name), value, problem)
}

/**
 * Something with names and values of its own. What a list, a Map or a promise was meant to say has none that would be seen,
 * and would be lost silently.
 */
export function hasFields(value: unknown): value is Record<string, unknown> {
  return isObject(value) && !(Symbol.iterator in value) && typeof value.then !== 'function'
}

export function checkVariables(option: string, env: unknown): asserts env is Readonly<Record<string, unknown>> {
  if (!hasFields(env)) throw invalidType(option, env, 'must be an object')
}

function textProblem(value: unknown): string | null {
  if (typeof value !== 'string') return 'must be a string'
  const nul = value.indexOf('\0')
  if (nul !== -1) return `must not contain a NUL byte (offset ${nul})`
  const lone = loneSurrogate(value)
  return lone === -1 ? null : `must not contain a lone surrogate (offset ${lone})`
}

export function checkWellFormed(option: string, value: string, part?: string | number): void {
  const lone = loneSurrogate(value)
  if (lone === -1) return
  throw invalidType(nameOf(option, part), value, `must not contain a lone surrogate (offset ${lone})`)
}

const wellFormed = (String.prototype as { isWellFormed?: () => boolean }).isWellFormed

function loneSurrogate(text: string): number {
  if (wellFormed?.call(text)) return -1
  // With the u flag a surrogate pair is one character, so only an unpaired half matches.
  return text.search(/[\ud800-\udfff]/u)
}

/** Made by another realm or library, a signal need not be an instance of this realm's class. */
export function checkSignal(option: string, signal: unknown): asserts signal is AbortSignal | undefined {
  if (signal === undefined || isSignal(signal)) return
  throw invalidType(option, signal, 'must be an AbortSignal')
}

function isSignal(signal: unknown): boolean {
  return (
    isObject(signal) &&
    typeof signal.aborted === 'boolean' &&
    typeof signal.addEventListener === 'function' &&
    typeof signal.removeEventListener === 'function'
  )
}

/** As the method of that name, which signals of other make may lack. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (!signal?.aborted) return
  throw signal.reason ?? new DOMException('This operation was aborted', 'AbortError')
}

export function checkOffset(offset: unknown): asserts offset is number {
  if (typeof offset !== 'number' || Number.isNaN(offset)) throw invalidType('offset', offset, 'must be a number')
}

export function checkSize(option: string, value: unknown): void {
  if (Number.isSafeInteger(value) && (value as number) > 0) return
  const problem = 'must be a positive safe integer'
  throw typeof value === 'number' ? invalidRange(option, value, problem) : invalidType(option, value, problem)
}

function nameOf(option: string, part: string | number | undefined): string {
  if (part === undefined) return option
  return typeof part === 'number' ? `${option}[${part}]` : `${option}.${part}`
}
