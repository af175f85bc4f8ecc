// An output source by hand: the simplest thing that keeps a tail, to test readers and rings against.

import type { OutputSource, OutputWindow } from '../../../src/subprocess/local/driver.js'

export function bytesOf(content: string | readonly number[]): Buffer {
  return typeof content === 'string' ? Buffer.from(content) : Buffer.from(content)
}

export class TailSource implements OutputSource {
  ended = false
  spillPath: string | null = null
  spillError: Error | null = null
  #all: Buffer = Buffer.alloc(0)
  readonly #maxBytes: number

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  append(chunk: Uint8Array): void {
    this.#all = Buffer.concat([this.#all, chunk])
  }

  get totalBytes(): number {
    return this.#all.length
  }

  read(offset: number): OutputWindow {
    const windowStart = Math.max(0, this.#all.length - this.#maxBytes)
    const start = Math.min(Math.max(offset, windowStart), this.#all.length)
    return { bytes: this.#all.subarray(start), start, windowStart, ended: this.ended, spillPath: this.spillPath }
  }
}
