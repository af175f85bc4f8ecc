// Pieces of the texts that tools answer with: marker lines, and the bound of a whole message.

/** `text` and then `line` on a line of its own. */
export function withLine(text: string, line: string): string {
  if (text === '') return line
  return `${text}${text.endsWith('\n') ? '' : '\n'}${line}`
}

/** The longest beginning of `text` that has at most `maxBytes` bytes as UTF-8 and no part of a character at its end. */
export function cutToBytes(text: string, maxBytes: number): string {
  const bytes = Buffer.from(text)
  if (bytes.length <= maxBytes) return text
  let end = Math.max(maxBytes, 0)
  // A byte that continues a character (10xxxxxx) cannot begin what is cut off.
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end -= 1
  return bytes.toString('utf8', 0, end)
}

/** What is said where memory no longer has what a watcher of a job has not seen. */
export function lostNotice(spillPaths: readonly string[]): string {
  const places = spillPaths.length === 0 ? '(unavailable)' : spillPaths.join(', ')
  return `[some output was dropped from memory; full output: ${places}]`
}
