// What a terminal shows, as one stream. The core reads ahead into a bounded queue and stops when that is full, so a reader
// who is slow holds up the command and not the memory of the host.

import { Readable } from 'node:stream'
import type { NativeTerminal } from '../../../native/binding.js'

const chunkBytes = 64 * 1024

export class TerminalOutput {
  readonly stream: Readable
  readonly #native: NativeTerminal
  #wanted = false

  constructor(native: NativeTerminal) {
    this.#native = native
    this.stream = new Readable({
      read: () => {
        this.#wanted = true
        this.pull()
      },
      destroy: (error, callback) => {
        this.#discard()
        callback(error)
      }
    })
  }

  /** To be called when there may be something to take. */
  pull(): void {
    if (this.stream.destroyed) this.#discard()
    while (this.#wanted) {
      const taken = this.#native.take(chunkBytes)
      if (taken === false) return
      this.#wanted = this.stream.push(taken === true ? null : taken) && taken !== true
    }
  }

  /** A reader who has gone wants no more, and the command must not be held up by that. */
  #discard(): void {
    while (typeof this.#native.take(chunkBytes) !== 'boolean');
  }
}
