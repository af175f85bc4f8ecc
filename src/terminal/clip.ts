// Text cut to a number of UTF-8 bytes, never inside a character.

/** Where the longest tail of at most `maxBytes` begins. */
export function firstFitting(text: string, maxBytes: number): number {
  // No UTF-16 unit takes more than three bytes of UTF-8.
  if (text.length * 3 <= maxBytes) return 0
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return 0
  let at = bytes.length - maxBytes
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at += 1
  return text.length - bytes.toString('utf8', at).length
}

/** Where the longest head of at most `maxBytes` ends. */
export function lastFitting(text: string, maxBytes: number): number {
  if (text.length * 3 <= maxBytes) return text.length
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text.length
  let at = maxBytes
  while (at > 0 && ((bytes[at] ?? 0) & 0xc0) === 0x80) at -= 1
  return bytes.toString('utf8', 0, at).length
}
