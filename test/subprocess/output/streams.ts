// Streams and the ways to cut them, for properties: characters of every length, what only looks like one, and any bytes.

import fc from 'fast-check'

const characters = ['a', '\n', '\0', 'é', '\u0800', '€', '\ud7ff', '\ufeff', '\ufffd', '😀', '\u{10ffff}']
const telling = [0x41, 0x80, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xed, 0xef, 0xf0, 0xf4, 0xf5, 0xff]
/** On either side of the second bytes that tell overlong forms, surrogates and what is above U+10FFFF from characters. */
const nearMisses = ['e09f', 'e0a0', 'ed9f', 'eda0', 'f08f', 'f090', 'f48f', 'f490', 'f18080', 'f18080c0']

/** Text that is valid as a whole. */
export const text: fc.Arbitrary<string> = fc
  .array(fc.constantFrom(...characters), { minLength: 1, maxLength: 40 })
  .map((parts) => parts.join(''))

/** Characters, mixed with bytes that begin, continue or break one. */
export const bytes: fc.Arbitrary<Buffer> = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...characters).map((part) => Buffer.from(part)) },
      { weight: 3, arbitrary: fc.constantFrom(...telling).map((byte) => Buffer.of(byte)) },
      { weight: 2, arbitrary: fc.constantFrom(...nearMisses).map((part) => Buffer.from(part, 'hex')) },
      { weight: 1, arbitrary: fc.uint8Array({ minLength: 1, maxLength: 4 }).map((part) => Buffer.from(part)) }
    ),
    { minLength: 1, maxLength: 40 }
  )
  .map((parts) => Buffer.concat(parts))

export const maxBytes: fc.Arbitrary<number> = fc.oneof(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 160 }))

/** Where a reader may begin: anywhere in a stream of this generator, before it, behind it, and between two bytes. */
export const offset: fc.Arbitrary<number> = fc.oneof(
  { weight: 8, arbitrary: fc.integer({ min: -2, max: 170 }) },
  { weight: 1, arbitrary: fc.constantFrom(0.5, 2.75, Number.MAX_SAFE_INTEGER, Number.POSITIVE_INFINITY, -1e300) }
)

/** Places to cut at, in thousandths of the whole; between characters and inside of them. */
export const cuts: fc.Arbitrary<readonly number[]> = fc.array(fc.integer({ min: 0, max: 1000 }), { maxLength: 12 })

/** The pieces of `whole` between the cuts, none of them empty. */
export function cutAt(whole: Buffer, at: readonly number[]): Buffer[] {
  const edges = [0, ...at.map((part) => Math.floor((part * whole.length) / 1000)), whole.length].sort((a, b) => a - b)
  return edges.flatMap((edge, index) => {
    const piece = whole.subarray(edge, edges[index + 1] ?? edge)
    return piece.length > 0 ? [piece] : []
  })
}
