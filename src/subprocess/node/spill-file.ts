// The file with the whole of one collected stream, written beside the event loop. It is opened at the first overflow and
// takes everything from byte 0. A fault ends the file, never the command: the path is withdrawn and the reason kept.

import * as fs from 'node:fs'
import { join } from 'node:path'
import { randomHex, type SpillFolder } from '../local/spill-folder.js'
import { markOwner, unclaimedMode } from '../local/spill-leftovers.js'

/** Above this much waiting data the stream has to pause, below the other it may go on. */
const highWaterBytes = 1024 * 1024
const lowWaterBytes = 256 * 1024

export interface SpillListener {
  pause(): void
  resume(): void
}

export class SpillFile {
  /** Null until the file exists, and again when it was withdrawn. */
  path: string | null = null
  error: Error | null = null
  readonly #maxBytes: number
  readonly #folder: SpillFolder
  readonly #listener: SpillListener
  readonly #name: string
  #acceptedBytes = 0
  #waiting: Buffer[] = []
  #waitingBytes = 0
  #state: 'writing' | 'sealing' | 'withdrawn' | 'closed' = 'writing'
  #paused = false
  #work: Promise<void> | null = null
  #handle: fs.promises.FileHandle | null = null

  constructor(maxBytes: number, folder: SpillFolder, streamName: string, listener: SpillListener) {
    this.#maxBytes = maxBytes
    this.#folder = folder
    this.#name = `${randomHex()}-${streamName}.log`
    this.#listener = listener
  }

  /** Takes `chunk` over. Over the cap the file goes, for good. */
  append(chunk: Buffer): void {
    if (this.#state !== 'writing') return
    this.#acceptedBytes += chunk.length
    if (this.#acceptedBytes > this.#maxBytes) {
      this.#withdraw()
      return
    }
    this.#waiting.push(chunk)
    this.#waitingBytes += chunk.length
    if (this.#waitingBytes > highWaterBytes && !this.#paused) {
      this.#paused = true
      this.#listener.pause()
    }
    this.#work ??= this.#run()
  }

  /** No more will come: the file is closed as soon as everything is in it. */
  seal(): void {
    if (this.#state !== 'writing') return
    this.#state = 'sealing'
    this.#work ??= this.#run()
  }

  /** Gives up what is not written yet; what is stays, under the same path. */
  abandon(): void {
    this.#waiting = []
    this.#waitingBytes = 0
    this.seal()
  }

  /** Resolves when everything that was appended so far is on disk or given up. Never rejects. */
  async flushed(): Promise<void> {
    while (this.#work !== null) await this.#work
  }

  async #run(): Promise<void> {
    try {
      await this.#drain()
    } catch (error) {
      this.error ??= error as Error
      this.#withdraw()
    }
    if (this.#state !== 'writing') await this.#finish()
    this.#work = null
    // Something may have been appended, or the state changed, while the last step was under way.
    if (this.#waiting.length > 0 || (this.#handle !== null && this.#state !== 'writing')) this.#work = this.#run()
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) {
      this.#handle ??= await this.#open()
      const chunks = this.#waiting
      this.#waiting = []
      await writeAll(this.#handle, chunks)
      for (const chunk of chunks) this.#waitingBytes -= chunk.length
      if (this.#paused && this.#waitingBytes < lowWaterBytes) this.#unpause()
    }
  }

  async #open(): Promise<fs.promises.FileHandle> {
    const path = join(this.#folder.path, this.#name)
    // Made here and now: what is still under way when the host exits would be there after the removal.
    makeFolder(this.#folder)
    fs.closeSync(fs.openSync(path, 'wx', unclaimedMode))
    const handle = await fs.promises.open(path, 'r+')
    if (this.#state !== 'withdrawn') this.path = path
    return handle
  }

  #withdraw(): void {
    this.#state = 'withdrawn'
    this.path = null
    this.#waiting = []
    this.#waitingBytes = 0
    if (this.#paused) this.#unpause()
    this.#work ??= this.#run()
  }

  #unpause(): void {
    this.#paused = false
    this.#listener.resume()
  }

  async #finish(): Promise<void> {
    const handle = this.#handle
    this.#handle = null
    if (this.#state === 'sealing') this.#state = 'closed'
    if (handle === null) return
    try {
      await handle.close()
    } catch (error) {
      // What the kernel had not written yet may be lost, so the file no longer holds the whole stream.
      this.error ??= error as Error
      this.path = null
    }
    // Removing can fail as well; then at most the cap is left until the folder goes at disposal.
    if (this.#state === 'withdrawn') await fs.promises.rm(join(this.#folder.path, this.#name)).catch(() => {})
  }
}

/** Why the folder could not be made, or null. */
const made = new WeakMap<SpillFolder, unknown>()

/** Once for each runtime, whatever came of it: a folder that someone removed is not made again behind their back. */
function makeFolder(folder: SpillFolder): void {
  if (!made.has(folder)) {
    let failure: unknown = null
    try {
      fs.mkdirSync(folder.path, { mode: 0o700 })
      markOwner(folder.path)
    } catch (error) {
      failure = error
    }
    made.set(folder, failure)
  }
  const failure = made.get(folder)
  if (failure !== null) throw failure
}

/** All in one call: each takes a turn of the event loop, and a busy loop has few. */
async function writeAll(handle: fs.promises.FileHandle, chunks: readonly Buffer[]): Promise<void> {
  let left = chunks
  while (left.length > 0) {
    const { bytesWritten } = await handle.writev(left)
    left = without(left, bytesWritten)
  }
}

/** What a short write, by a full disk or a signal, has left of `chunks`. */
function without(chunks: readonly Buffer[], bytesWritten: number): Buffer[] {
  let skip = bytesWritten
  return chunks.flatMap((chunk) => {
    const rest = chunk.subarray(Math.min(skip, chunk.length))
    skip -= chunk.length - rest.length
    return rest.length > 0 ? [rest] : []
  })
}
