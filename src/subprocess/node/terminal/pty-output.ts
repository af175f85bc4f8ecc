// What a terminal shows, as one stream. The host keeps the command's end open beside the command, so the kernel never tells
// of a hang-up with text still unread, which libuv would take for the end; the rest is read by hand once the command has
// exited.

import * as fs from 'node:fs'
import { Readable } from 'node:stream'
import { ReadStream } from 'node:tty'

/** Far more than the kernel holds of a terminal: what is read beyond was written by leftovers after the exit. */
const lastBytes = 256 * 1024

export class PtyOutput {
  readonly stream: Readable
  readonly #fd: number
  readonly #source: ReadStream
  #heldEnd: number | null

  /** Takes the descriptor over. */
  constructor(fd: number, commandEnd: number) {
    this.#fd = fd
    this.#heldEnd = commandEnd
    this.#source = new ReadStream(fd)
    this.stream = new Readable({ read: () => void this.#source.resume() })
    // Nobody needs to listen for it: the end of the stream tells as much.
    this.#source.on('error', () => {})
    this.#source.on('data', (bytes: Buffer) => {
      if (!this.#push(bytes)) this.#source.pause()
    })
  }

  /** To be called when the command has exited: everything that it wrote, then the end. Closes both descriptors. */
  finish(): void {
    this.#source.pause()
    for (let bytes = this.#source.read(); bytes !== null; bytes = this.#source.read()) this.#push(bytes)
    this.#readRest()
    if (!this.stream.destroyed) this.stream.push(null)
    if (this.#heldEnd !== null) fs.closeSync(this.#heldEnd)
    this.#heldEnd = null
    this.#source.destroy()
  }

  #push(bytes: Buffer): boolean {
    // A caller who destroyed it wants no more, and the command must not be held up by that.
    return this.stream.destroyed || this.stream.push(bytes)
  }

  #readRest(): void {
    const buffer = Buffer.alloc(16_384)
    for (let total = 0; total < lastBytes; ) {
      let count: number
      try {
        count = fs.readSync(this.#fd, buffer)
      } catch {
        // EAGAIN: nothing is left, for the kernel moves what is under way first. EIO: nobody has the other end.
        return
      }
      if (count === 0) return
      this.#push(Buffer.from(buffer.subarray(0, count)))
      total += count
    }
  }
}
