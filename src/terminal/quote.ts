// A command as something that can be typed into a shell: printable ASCII on one line, so that no key binding, completion,
// history expansion or line discipline finds anything in it.

/** Of one piece: far below what the kernel takes as a line. */
const pieceUnits = 1000

/** `text` as `$'…'` pieces that are put together again by being assigned one after the other. Text must hold no NUL. */
export function quotedPieces(text: string): string[] {
  const pieces: string[] = []
  let piece = ''
  for (const byte of Buffer.from(text)) {
    if (piece.length >= pieceUnits) {
      pieces.push(`$'${piece}'`)
      piece = ''
    }
    piece += isPlain(byte) ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
  }
  pieces.push(`$'${piece}'`)
  return pieces
}

/** Printable, and neither quote, backslash nor exclamation mark. */
function isPlain(byte: number): boolean {
  return byte >= 0x20 && byte < 0x7f && byte !== 0x27 && byte !== 0x5c && byte !== 0x21
}
