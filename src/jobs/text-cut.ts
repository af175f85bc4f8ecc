// Where a stretch of bytes may be cut so that both parts decode as they would together, and how much of it makes a text of
// at most so many bytes. A byte that is no UTF-8 costs three: it decodes as U+FFFD.

import { isContinuation } from '../subprocess/output/utf8.js'

/** The longest character, and the longest run of bytes that decodes as one U+FFFD or less. */
const longestBytes = 4

/** Bytes that the character would have which starts with this byte; 1 where none does. */
function announcedLength(lead: number): number {
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  return 1
}

/** The last place at or before `at` where a cut parts no character, whole or broken. */
function cutBefore(bytes: Uint8Array, at: number): number {
  if (!isContinuation(bytes[at])) return at
  for (let back = 1; back < longestBytes && back <= at; back += 1) {
    const byte = bytes[at - back] as number
    if (isContinuation(byte)) continue
    return back < announcedLength(byte) ? at - back : at
  }
  return at
}

function firstCutAfter(bytes: Uint8Array, from: number): number {
  for (let at = from + 1; at < bytes.length; at += 1) if (cutBefore(bytes, at) === at) return at
  return bytes.length
}

export const decoded = (bytes: Uint8Array): string =>
  // Unlike a plain TextDecoder, Buffer keeps a byte order mark.
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8')

export interface TextPart {
  readonly text: string
  /** How many of the bytes it is. */
  readonly length: number
}

/** As much of `bytes` as has a text of at most `maxBytes`, but never less than one character. */
export function firstPart(bytes: Uint8Array, maxBytes: number): TextPart {
  let length = maxBytes < bytes.length ? cutBefore(bytes, maxBytes) : bytes.length
  while (length > 0) {
    const text = decoded(bytes.subarray(0, length))
    const size = Buffer.byteLength(text)
    if (size <= maxBytes) return { text, length }
    // Smaller each time, since the text is longer than what it may be.
    length = cutBefore(bytes, Math.floor((length * maxBytes) / size))
  }
  length = firstCutAfter(bytes, 0)
  return { text: decoded(bytes.subarray(0, length)), length }
}
