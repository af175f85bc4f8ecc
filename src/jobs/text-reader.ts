// A stream that is a text and has ended: what a job without readers said in the end.

import { checkOffset } from '../subprocess/preflight-values.js'
import type { SubprocessOutputBytes, SubprocessOutputRead, SubprocessOutputReader } from '../subprocess/types.js'

export class TextReader implements SubprocessOutputReader {
  readonly ended = true
  readonly spillError = null
  readonly #bytes: Uint8Array

  constructor(text: string) {
    this.#bytes = Buffer.from(text)
  }

  get totalBytes(): number {
    return this.#bytes.length
  }

  readFrom(offset: number): SubprocessOutputRead {
    const { bytes, ...rest } = this.readBytesFrom(offset)
    return { text: Buffer.from(bytes).toString(), ...rest }
  }

  readBytesFrom(offset: number): SubprocessOutputBytes {
    checkOffset(offset)
    return { bytes: this.#bytes.subarray(Math.max(offset, 0)), nextOffset: this.totalBytes, lossy: offset < 0 }
  }
}
