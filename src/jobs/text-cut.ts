// Where a stretch of bytes may be cut so that both parts decode as they would together, and how much of it makes a text of
// at most so many bytes. A byte that is no UTF-8 costs three: it decodes as U+FFFD.

import { isContinuation, sequenceAt } from '../subprocess/output/utf8.js'

/** A byte belongs to a character that begins at most this far before it. */
export const lookBackBytes = 3

/**
 * The last place at or before `at` where a cut parts nothing that decodes as one character, be it whole or the beginning of
 * one that is broken off.
 */
function cutBefore(bytes: Uint8Array, at: number): number {
  if (!isContinuation(bytes[at])) return at
  for (let lead = at - 1; lead >= Math.max(at - lookBackBytes, 0); lead -= 1) {
    if (isContinuation(bytes[lead])) continue
    const sequence = sequenceAt(bytes.subarray(0, at + 1), lead)
    return sequence.kind !== 'invalid' && lead + sequence.length > at ? lead : at
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

/** As much of `bytes` as has a text of at most `maxBytes`; with `atLeastOne` never less than one character. */
export function firstPart(bytes: Uint8Array, maxBytes: number, atLeastOne: boolean): TextPart {
  let length = maxBytes < bytes.length ? cutBefore(bytes, maxBytes) : bytes.length
  while (length > 0) {
    const text = decoded(bytes.subarray(0, length))
    const size = Buffer.byteLength(text)
    if (size <= maxBytes) return { text, length }
    // Smaller each time, since the text is longer than what it may be.
    length = cutBefore(bytes, Math.floor((length * maxBytes) / size))
  }
  if (atLeastOne && bytes.length > 0) length = firstCutAfter(bytes, 0)
  return { text: decoded(bytes.subarray(0, length)), length }
}
