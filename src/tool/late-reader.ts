// A reader that is there before its stream: a job has one from its start, its command only once it has been prepared.

import { emptyReader } from '../shell/noted-reader.js'
import type { SubprocessOutputBytes, SubprocessOutputRead, SubprocessOutputReader } from '../subprocess/types.js'

export class LateReader implements SubprocessOutputReader {
  #stream: SubprocessOutputReader | null = null
  #ended = false

  attach(stream: SubprocessOutputReader): void {
    this.#stream = stream
  }

  /** There will be no stream. */
  close(): void {
    this.#ended = true
  }

  readFrom(offset: number): SubprocessOutputRead {
    return (this.#stream ?? emptyReader).readFrom(offset)
  }

  readBytesFrom(offset: number): SubprocessOutputBytes {
    return (this.#stream ?? emptyReader).readBytesFrom(offset)
  }

  get totalBytes(): number {
    return this.#stream?.totalBytes ?? 0
  }

  get ended(): boolean {
    return this.#stream?.ended ?? this.#ended
  }

  get spillError(): Error | null {
    return this.#stream?.spillError ?? null
  }
}
