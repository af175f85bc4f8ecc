// One collected stream: the tail in memory, the whole in a spill file if asked for. Reads as fast as the spill can write
// and goes on reading after the command has settled, so that a leftover never gets SIGPIPE.

import type { Readable } from 'node:stream'
import type { OutputSource, OutputWindow } from '../local/driver.js'
import type { SpillFolder } from '../local/spill-folder.js'
import { TailRing } from '../output/tail-ring.js'
import type { SubprocessCollect } from '../types.js'
import { SpillFile } from './spill-file.js'

/** A stream of the command that delivers its chunks elsewhere and is only steered here. */
export type CollectedStream = Readable & { unref?: () => unknown }

export class Collector implements OutputSource {
  /** By `performance.now()`; when the last chunk came. */
  lastDataAt = 0
  ended = false
  /** The spill is behind, so a silent stream says nothing about the command. */
  paused = false
  readonly #ring: TailRing
  readonly #collect: SubprocessCollect
  readonly #name: string
  readonly #folder: SpillFolder
  #stream: CollectedStream | null = null
  #spill: SpillFile | null = null
  #spillOver = false
  readonly #endListeners: (() => void)[] = []

  constructor(collect: SubprocessCollect, name: string, folder: SpillFolder) {
    this.#ring = new TailRing(collect.maxBytes)
    this.#collect = collect
    this.#name = name
    this.#folder = folder
  }

  /** From now on `accept` gets the chunks of `stream`. */
  follow(stream: CollectedStream): void {
    this.#stream = stream
    const end = (): void => this.#end()
    // A read error ends the stream like an end of file does: what came before it stands.
    stream.on('end', end).on('close', end).on('error', end)
  }

  /** `chunk` may be a buffer that is used again. */
  accept(chunk: Uint8Array): void {
    if (this.ended) return
    this.lastDataAt = performance.now()
    this.#toSpill(chunk)
    this.#ring.append(chunk)
  }

  /** Nothing will come: the start failed. */
  endEmpty(): void {
    this.#end()
    this.#stream?.destroy()
  }

  /** Stops reading and writing; what was read stays readable. */
  async close(): Promise<void> {
    this.#stream?.destroy()
    this.#end()
    this.#spill?.abandon()
    await this.flushed()
  }

  /** The stream may outlive the command, but the host need not wait for it. */
  unref(): void {
    this.#stream?.unref?.()
  }

  onEnd(listener: () => void): void {
    if (this.ended) listener()
    else this.#endListeners.push(listener)
  }

  async flushed(): Promise<void> {
    await this.#spill?.flushed()
  }

  read(offset: number): OutputWindow {
    const { bytes, start } = this.#ring.read(offset)
    return {
      bytes,
      start,
      windowStart: this.#ring.windowStart,
      ended: this.ended,
      spillPath: this.#spill?.path ?? null
    }
  }

  get totalBytes(): number {
    return this.#ring.totalBytes
  }

  get spillError(): Error | null {
    return this.#spill?.error ?? null
  }

  #toSpill(chunk: Uint8Array): void {
    const cap = this.#collect.spill?.maxBytes
    if (cap === undefined || this.#spillOver) return
    const total = this.#ring.totalBytes + chunk.length
    if (this.#spill === null) {
      if (total <= this.#collect.maxBytes) return
      // Nothing was dropped yet, so the ring still has the stream from byte 0. If it is too much already, no file is made.
      this.#spillOver = total > cap
      if (this.#spillOver) return
      this.#spill = new SpillFile(cap, this.#folder, this.#name, this)
      if (this.#ring.totalBytes > 0) this.#spill.append(Buffer.from(this.#ring.read(0).bytes))
    }
    this.#spill.append(Buffer.from(chunk))
  }

  pause(): void {
    this.paused = true
    this.#stream?.pause()
  }

  resume(): void {
    this.paused = false
    this.lastDataAt = performance.now()
    this.#stream?.resume()
  }

  #end(): void {
    if (this.ended) return
    this.ended = true
    this.#spill?.seal()
    for (const listener of this.#endListeners.splice(0)) listener()
  }
}
