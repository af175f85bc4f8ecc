// Values that a caller of JavaScript can pass where something else belongs.

import { inspect } from 'node:util'

class Refusal extends Error {}

/** What the objects below throw when they are looked at: it goes to the caller as it is. */
export const refusal = new Refusal('this object refuses to be looked at')

const refuse = (): never => {
  throw refusal
}

/** Refuses every question. */
export const hostileProxy = (): object =>
  new Proxy({}, { get: refuse, has: refuse, ownKeys: refuse, getOwnPropertyDescriptor: refuse, getPrototypeOf: refuse })

/** Its texts, its tag and all that can be named of it throw. */
const hostileTexts = (): object => ({
  toString: refuse,
  valueOf: refuse,
  toJSON: refuse,
  [Symbol.toPrimitive]: refuse,
  [inspect.custom]: refuse,
  get [Symbol.toStringTag]() {
    return refuse()
  }
})

const revoked = (): object => {
  const { proxy, revoke } = Proxy.revocable({}, {})
  revoke()
  return proxy
}

/** By what they are called in the titles; made anew for each call. */
export const wrongValues: Readonly<Record<string, () => unknown>> = {
  undefined: () => undefined,
  null: () => null,
  true: () => true,
  zero: () => 0,
  'a number': () => 5,
  'a fraction': () => 1.5,
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  'a negative number': () => -1,
  'a number beyond the safe ones': () => 2 ** 60,
  'a BigInt': () => 5n,
  'an empty text': () => '',
  'a text': () => 'text',
  'a text with NUL': () => 'a\0b',
  'a lone surrogate': () => 'a\ud800',
  'a symbol': () => Symbol('symbol'),
  'a function': () => () => 'text',
  'a list': () => ['text'],
  'an empty list': () => [],
  'an empty object': () => ({}),
  'a Map': () => new Map([['command', 'true']]),
  'a Date': () => new Date(0),
  'an object with nothing above it': () => Object.create(null),
  'a Promise': () => Promise.resolve('text'),
  'an object whose texts throw': hostileTexts,
  'a proxy that refuses': hostileProxy,
  'a revoked proxy': revoked
}

/** The values but for those that belong there. */
export const allBut = (...belonging: string[]): [string, () => unknown][] =>
  Object.entries(wrongValues).filter(([name]) => !belonging.includes(name))

/** An object like `valid` whose field `name` throws when it is read. */
export const withThrowingField = (valid: object, name: string): object =>
  Object.defineProperty({ ...valid }, name, { enumerable: true, get: refuse })

/** An object like `valid` whose field `name` is `then` from the second look on. */
export function turning(valid: object, name: string, then: unknown): object {
  let looks = 0
  const first = (valid as Record<string, unknown>)[name]
  return Object.defineProperty({ ...valid }, name, {
    enumerable: true,
    get: () => {
      looks += 1
      return looks === 1 ? first : then
    }
  })
}
