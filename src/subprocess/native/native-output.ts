// One collected stream of a native process.

import type { NativeProcess, NativeStreamIndex } from '../../native/binding.js'
import type { OutputSource, OutputWindow } from '../local/driver.js'
import { systemError } from './system-error.js'

const nothing = new Uint8Array(0)

export class NativeOutput implements OutputSource {
  readonly #process: NativeProcess
  readonly #stream: NativeStreamIndex

  constructor(process: NativeProcess, stream: NativeStreamIndex) {
    this.#process = process
    this.#stream = stream
  }

  read(offset: number): OutputWindow {
    const [bytes, start, windowStart, ended, spillPath] = this.#process.read(this.#stream, offset)
    return { bytes: bytes ?? nothing, start, windowStart, ended, spillPath }
  }

  get totalBytes(): number {
    return this.#process.total(this.#stream)
  }

  get ended(): boolean {
    return this.#process.ended(this.#stream)
  }

  get spillError(): Error | null {
    const error = this.#process.spillError(this.#stream)
    return error === null ? null : systemError(error, 'the spill file cannot be kept')
  }
}
