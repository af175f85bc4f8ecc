// Where UTF-8 characters begin and end in bytes that may be cut at both edges. Ranges: RFC 3629, section 4.

/** What the bytes from one position on are: a whole character, the beginning of one, or neither. */
export type Utf8Sequence = { readonly kind: 'whole' | 'cut'; readonly length: number } | { readonly kind: 'invalid' }

const invalid: Utf8Sequence = { kind: 'invalid' }

export function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80
}

/** Looks at the sequence that starts at `at`; `cut` means that the bytes end before it does. */
export function sequenceAt(bytes: Uint8Array, at: number): Utf8Sequence {
  const lead = bytes[at]
  if (lead === undefined) return invalid
  const length = lengthOf(lead)
  if (length === 0) return invalid
  for (let index = 1; index < length; index += 1) {
    const byte = bytes[at + index]
    if (byte === undefined) return { kind: 'cut', length: index }
    if (!(index === 1 ? isSecond(lead, byte) : isContinuation(byte))) return invalid
  }
  return { kind: 'whole', length }
}

/** 0 for a byte that no character starts with. */
function lengthOf(lead: number): number {
  if (lead < 0x80) return 1
  if (lead >= 0xc2 && lead <= 0xdf) return 2
  if (lead >= 0xe0 && lead <= 0xef) return 3
  if (lead >= 0xf0 && lead <= 0xf4) return 4
  return 0
}

/** The second byte is where overlong forms, surrogates and values above U+10FFFF are told from characters. */
function isSecond(lead: number, byte: number): boolean {
  if (lead === 0xe0) return byte >= 0xa0 && byte <= 0xbf
  if (lead === 0xed) return byte >= 0x80 && byte <= 0x9f
  if (lead === 0xf0) return byte >= 0x90 && byte <= 0xbf
  if (lead === 0xf4) return byte >= 0x80 && byte <= 0x8f
  return isContinuation(byte)
}

/** Where an incomplete character at the end of `bytes` starts; `bytes.length` if there is none. */
export function heldBackAt(bytes: Uint8Array, from: number): number {
  const first = Math.max(from, bytes.length - 3)
  for (let at = bytes.length - 1; at >= first; at -= 1) {
    if (isContinuation(bytes[at])) continue
    return sequenceAt(bytes, at).kind === 'cut' ? at : bytes.length
  }
  return bytes.length
}

/** The start of the character that `at` lies inside of, or `at` itself if it lies inside of none. */
export function characterStart(bytes: Uint8Array, at: number): number {
  if (!isContinuation(bytes[at])) return at
  for (let start = at - 1; start >= 0 && start >= at - 3; start -= 1) {
    if (isContinuation(bytes[start])) continue
    const sequence = sequenceAt(bytes, start)
    return sequence.kind !== 'invalid' && start + sequence.length > at ? start : at
  }
  return at
}
