// What an error for bad input must be.

import { expect } from 'vitest'
import { allBut, refusal } from './wrong-values.js'

/** What `call` throws or rejects with; a call that succeeds fails the test. */
export async function errorOf(call: () => unknown): Promise<unknown> {
  let value: unknown
  try {
    value = await call()
  } catch (error) {
    return error
  }
  throw new Error(`no error, but ${String(value)}`)
}

/** What the language says of a proxy that is none any more. */
export const isRevoked = (error: unknown): boolean => error instanceof TypeError && /revoked/.test(error.message)

/**
 * TypeError or RangeError with the code EINVAL that names the option, in its message too; the caller's own error where it was the
 * caller's object that threw; Node's own where its object was asked.
 */
export function expectDocumented(error: unknown, option: RegExp): void {
  if (error === refusal) return
  expect(error).toBeInstanceOf(Error)
  const { name, code, message, option: named } = error as Error & { code?: unknown; option?: unknown }
  if (isRevoked(error)) return
  expect({ name, code, named, message }).toEqual({
    name: expect.stringMatching(/^(TypeError|RangeError)$/),
    code: 'EINVAL',
    named: expect.stringMatching(option),
    message: expect.stringMatching(option)
  })
  expect(error).toHaveProperty('value')
}

/** Every kind of value but those that belong there: `call` gives a documented error that names the option. */
export async function expectEachRefused(
  method: string,
  option: RegExp,
  belonging: readonly string[],
  call: (value: never) => unknown
): Promise<void> {
  for (const [kind, make] of allBut(...belonging)) {
    const error = await errorOf(() => call(make() as never)).catch((none: Error) => {
      throw new Error(`${method} with ${kind}: ${none.message}`)
    })
    try {
      expectDocumented(error, option)
    } catch (mismatch) {
      throw new Error(`${method} with ${kind}: ${(mismatch as Error).message}`, { cause: error })
    }
  }
}
