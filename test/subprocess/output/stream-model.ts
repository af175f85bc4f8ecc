// What a reader owes its caller, told from the whole stream: nothing was ever dropped here, so it is plain where characters
// begin and what the window has cut. A list of answers, since the same window can follow from several streams: bytes at its
// start that continue a character of which the window shows nothing may be left out or shown as U+FFFD.

import type { SubprocessOutputBytes, SubprocessOutputRead } from '../../../src/subprocess/types.js'

/** Well-formed characters by RFC 3629, over bytes as latin1. */
const character =
  /[\0-\x7f]|[\xc2-\xdf][\x80-\xbf]|\xe0[\xa0-\xbf][\x80-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]{2}|\xed[\x80-\x9f][\x80-\xbf]|\xf0[\x90-\xbf][\x80-\xbf]{2}|[\xf1-\xf3][\x80-\xbf]{3}|\xf4[\x80-\x8f][\x80-\xbf]{2}/gs

/** What a character begins with that only lacks its end. */
const beginning =
  /(?:[\xc2-\xf4]|\xe0[\xa0-\xbf]|[\xe1-\xec\xee\xef][\x80-\xbf]|\xed[\x80-\x9f]|\xf0[\x90-\xbf][\x80-\xbf]?|[\xf1-\xf3][\x80-\xbf]{1,2}|\xf4[\x80-\x8f][\x80-\xbf]?)$/s

interface Span {
  readonly start: number
  readonly end: number
}

export class StreamModel {
  ended = false
  readonly #maxBytes: number
  #all: Buffer = Buffer.alloc(0)

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  append(chunk: Uint8Array): void {
    this.#all = Buffer.concat([this.#all, chunk])
  }

  get totalBytes(): number {
    return this.#all.length
  }

  get windowStart(): number {
    return Math.max(0, this.totalBytes - this.#maxBytes)
  }

  bytesFrom(offset: number): SubprocessOutputBytes {
    const start = this.#clamp(offset)
    return { bytes: this.#all.subarray(start), nextOffset: this.totalBytes, lossy: offset < this.windowStart }
  }

  /** Every read that is right for `offset`, the best first. */
  readsFrom(offset: number): SubprocessOutputRead[] {
    const start = this.#clamp(offset)
    return this.#startsFor(start).map((from) => {
      const to = Math.max(from, this.#readableEnd(from))
      return { text: this.#text(from, to), nextOffset: to, lossy: offset < this.windowStart }
    })
  }

  #clamp(offset: number): number {
    return Math.min(Math.max(Math.floor(offset), this.windowStart), this.totalBytes)
  }

  #startsFor(wanted: number): number[] {
    const around = this.#characters().find((span) => span.start < wanted && wanted < span.end)
    if (around !== undefined && around.start >= this.windowStart) return [around.start]
    const starts = [around?.end ?? wanted]
    if (this.windowStart === 0) return starts
    for (let at = starts[0] ?? 0; at < this.windowStart + 3 && isContinuation(this.#all[at]); at += 1)
      starts.push(at + 1)
    return starts
  }

  /** Without the character whose end has not come yet, unless there is nothing to wait for. */
  #readableEnd(from: number): number {
    if (this.ended || from === this.totalBytes) return this.totalBytes
    const cut = beginning.exec(this.#latin1(from))
    return cut === null ? this.totalBytes : from + cut.index
  }

  /** The characters, and what will be one if the stream goes on. */
  #characters(): Span[] {
    const text = this.#latin1(0)
    const spans = [...text.matchAll(character)].map(({ index, 0: found }) => ({
      start: index,
      end: index + found.length
    }))
    const cut = beginning.exec(text)
    return cut === null ? spans : [...spans, { start: cut.index, end: text.length }]
  }

  #latin1(from: number): string {
    return this.#all.toString('latin1', from)
  }

  #text(from: number, to: number): string {
    return new TextDecoder('utf-8', { ignoreBOM: true }).decode(this.#all.subarray(from, to))
  }
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x80 && byte <= 0xbf
}
