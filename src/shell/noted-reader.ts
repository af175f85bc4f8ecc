// Offset readers of an execution that may have no stream behind them, and may get a note of this executor at their end.

import { checkOffset } from '../subprocess/preflight-values.js'
import type { SubprocessOutputBytes, SubprocessOutputRead, SubprocessOutputReader } from '../subprocess/types.js'

const nothing: Uint8Array = new Uint8Array()

/** A stream that never had a byte. */
export const emptyReader: SubprocessOutputReader = Object.freeze({
  readFrom(offset: number): SubprocessOutputRead {
    checkOffset(offset)
    return { text: '', nextOffset: 0, lossy: offset < 0 }
  },
  readBytesFrom(offset: number): SubprocessOutputBytes {
    checkOffset(offset)
    return { bytes: nothing, nextOffset: 0, lossy: offset < 0 }
  },
  totalBytes: 0,
  ended: true,
  spillError: null
})

/** A stream and, once there is one, a note after its last byte. */
export class NotedReader implements SubprocessOutputReader {
  readonly #stream: SubprocessOutputReader
  #note = nothing

  constructor(stream: SubprocessOutputReader) {
    this.#stream = stream
  }

  /** The note begins a line of its own. */
  append(note: string): void {
    const { totalBytes } = this.#stream
    const last = totalBytes > 0 ? this.#stream.readBytesFrom(totalBytes - 1).bytes[0] : undefined
    this.#note = Buffer.from(last === undefined || last === 0x0a ? note : `\n${note}`)
  }

  readFrom(offset: number): SubprocessOutputRead {
    const read = this.#stream.readFrom(offset)
    if (!this.#reachesNote(read)) return read
    const note = Buffer.from(this.#noteFrom(offset)).toString()
    return { ...read, text: read.text + note, nextOffset: this.totalBytes }
  }

  readBytesFrom(offset: number): SubprocessOutputBytes {
    const read = this.#stream.readBytesFrom(offset)
    if (!this.#reachesNote(read)) return read
    return { ...read, bytes: Buffer.concat([read.bytes, this.#noteFrom(offset)]), nextOffset: this.totalBytes }
  }

  get totalBytes(): number {
    return this.#stream.totalBytes + this.#note.length
  }

  get ended(): boolean {
    return this.#stream.ended
  }

  get spillError(): Error | null {
    return this.#stream.spillError
  }

  #reachesNote(read: { nextOffset: number }): boolean {
    return this.#note.length > 0 && read.nextOffset === this.#stream.totalBytes
  }

  #noteFrom(offset: number): Uint8Array {
    return this.#note.subarray(Math.max(offset - this.#stream.totalBytes, 0))
  }
}
