// What is typed into a terminal: in order, as fast as the kernel takes it. A full terminal is asked again after a rest that
// grows, so a program that does not read costs the host nothing to speak of.

import * as fs from 'node:fs'
import { writeAfterExit } from '../../../errors/terminal-texts.js'

/** Input that nobody has taken yet, in bytes. */
const queueLimit = 16 * 1024 * 1024
const firstRestMs = 1
const longestRestMs = 50

interface Pending {
  readonly bytes: Uint8Array
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class PtyInput {
  readonly #fd: number
  readonly #queue: Pending[] = []
  #queued = 0
  /** Of the first in the queue. */
  #written = 0
  #restMs = firstRestMs
  #timer: NodeJS.Timeout | null = null
  #closed = false

  constructor(fd: number) {
    this.#fd = fd
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (this.#closed) throw writeAfterExit()
    // A copy: the caller may use his memory again before the kernel has taken everything.
    const bytes = Buffer.from(data as Uint8Array)
    if (bytes.length === 0) return
    if (this.#queued + bytes.length > queueLimit) throw new Error('terminal input queue is full')
    await new Promise<void>((resolve, reject) => {
      this.#queue.push({ bytes, resolve, reject })
      this.#queued += bytes.length
      if (this.#timer === null) this.#pump()
    })
  }

  /** Nothing is written any more; whatever waits is refused. Must come before the descriptor is closed. */
  close(): void {
    this.#closed = true
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    for (const { reject } of this.#queue.splice(0)) reject(writeAfterExit())
  }

  #pump(): void {
    this.#timer = null
    for (let [first] = this.#queue; first !== undefined; [first] = this.#queue) {
      const taken = this.#give(first.bytes)
      if (taken === 0) {
        this.#rest()
        return
      }
      this.#restMs = firstRestMs
      this.#written += taken
      if (this.#written < first.bytes.length) continue
      this.#queue.shift()
      this.#queued -= first.bytes.length
      this.#written = 0
      first.resolve()
    }
  }

  #give(bytes: Uint8Array): number {
    try {
      return fs.writeSync(this.#fd, bytes, this.#written)
    } catch {
      // Full; or, when nobody has the other end any more, EIO until the exit is told, which refuses what waits.
      return 0
    }
  }

  #rest(): void {
    this.#timer = setTimeout(() => this.#pump(), this.#restMs)
    this.#restMs = Math.min(this.#restMs * 2, longestRestMs)
  }
}
