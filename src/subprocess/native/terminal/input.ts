// What is typed into a terminal: the core keeps it in order and tells how many writes the kernel has taken whole.

import { invalidType } from '../../../errors/invalid-input.js'
import { inputQueueFull, lineTooLong, writeAfterExit } from '../../../errors/terminal-texts.js'
import { type NativeTerminal, writeAnswers } from '../../../native/binding.js'

interface Pending {
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

export class TerminalInput {
  readonly #native: NativeTerminal
  readonly #pending: Pending[] = []
  #taken = 0
  #closed = false

  constructor(native: NativeTerminal) {
    this.#native = native
  }

  async write(data: string | Uint8Array): Promise<void> {
    const bytes = toBytes(data)
    if (this.#closed) throw writeAfterExit()
    if (bytes.length === 0) return
    switch (this.#native.write(bytes)) {
      case writeAnswers.ended:
        throw writeAfterExit()
      case writeAnswers.full:
        throw inputQueueFull()
      case writeAnswers.lineTooLong:
        throw lineTooLong(bytes.length)
      default:
        return new Promise((resolve, reject) => {
          this.#pending.push({ resolve, reject })
        })
    }
  }

  /** The kernel has taken the first `count` writes of all. */
  passed(count: number): void {
    for (const { resolve } of this.#pending.splice(0, count - this.#taken)) resolve()
    this.#taken = count
  }

  /** Nothing is taken any more; what waits is refused. */
  close(): void {
    this.#closed = true
    for (const { reject } of this.#pending.splice(0)) reject(writeAfterExit())
  }
}

function toBytes(data: unknown): Uint8Array {
  if (data instanceof Uint8Array) return data
  if (typeof data === 'string') return Buffer.from(data)
  throw invalidType('data', data, 'must be a string or a Uint8Array')
}
