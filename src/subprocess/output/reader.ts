// The reader over one collected stream: byte offsets outside, whole characters inside.
// An edge of the window never makes a U+FFFD: a character whose beginning was dropped is left out, one whose end has not
// come yet is held back, and an offset inside a retained character reads from that character's start.

import type { OutputSource, OutputWindow } from '../local/driver.js'
import { checkOffset } from '../preflight-values.js'
import type { SubprocessOutputBytes, SubprocessOutputRead, SubprocessOutputReader } from '../types.js'
import { characterStart, heldBackAt, isContinuation } from './utf8.js'

/** The longest part of a character that can stand before an offset inside of it. */
const lookBackBytes = 3

export function createReader(source: OutputSource): SubprocessOutputReader {
  return new OutputReader(source)
}

class OutputReader implements SubprocessOutputReader {
  readonly #source: OutputSource

  constructor(source: OutputSource) {
    this.#source = source
  }

  readFrom(offset: number): SubprocessOutputRead {
    checkOffset(offset)
    const wanted = Math.min(Math.floor(offset), this.#source.totalBytes)
    const window = this.#source.read(Math.max(wanted - lookBackBytes, 0))
    const { bytes } = window
    const from = textStart(window, Math.max(wanted - window.start, 0))
    const to = window.ended || from === bytes.length ? bytes.length : heldBackAt(bytes, from)
    return {
      text: decode(bytes, from, to),
      nextOffset: window.start + to,
      lossy: offset < window.windowStart,
      ...spillOf(window)
    }
  }

  readBytesFrom(offset: number): SubprocessOutputBytes {
    checkOffset(offset)
    const wanted = Math.min(Math.floor(offset), this.#source.totalBytes)
    const window = this.#source.read(Math.max(wanted, 0))
    return {
      bytes: window.bytes,
      nextOffset: window.start + window.bytes.length,
      lossy: offset < window.windowStart,
      ...spillOf(window)
    }
  }

  get totalBytes(): number {
    return this.#source.totalBytes
  }

  get ended(): boolean {
    return this.#source.ended
  }

  get spillError(): Error | null {
    return this.#source.spillError
  }
}

/** Index of the first byte of the text when the caller asked for the byte at index `at`. */
function textStart({ bytes, start, windowStart }: OutputWindow, at: number): number {
  const character = characterStart(bytes, at)
  if (character < at || start > windowStart || windowStart === 0) return character
  // The window starts behind dropped bytes, and up to three of its first may belong to a character that began there.
  let cut = 0
  while (cut < lookBackBytes && isContinuation(bytes[cut])) cut += 1
  return Math.max(at, cut)
}

function decode(bytes: Uint8Array, from: number, to: number): string {
  // Unlike a plain TextDecoder, Buffer keeps a byte order mark, which is a character of the command like any other.
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from).toString('utf8')
}

function spillOf({ spillPath }: OutputWindow): { readonly spillPath?: string } {
  return spillPath === null ? {} : { spillPath }
}
