// The handle that callers hold, the same over every driver: what is known comes from the lifecycle, what is done goes to
// the driver.

import type { Duplex, Readable, Writable } from 'node:stream'
import { createReader } from '../output/reader.js'
import { checkSignal } from '../preflight-values.js'
import type { SubprocessFacts, SubprocessHandle, SubprocessOutcome, SubprocessOutputReader } from '../types.js'
import type { OutputSource, ProcessDriver } from './driver.js'
import type { Lifecycle } from './lifecycle.js'

export class LocalHandle implements SubprocessHandle {
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly control: Duplex | null
  readonly collected: { readonly stdout?: SubprocessOutputReader; readonly stderr?: SubprocessOutputReader }
  readonly #driver: ProcessDriver
  readonly #lifecycle: Lifecycle

  /** `view` is put between each source and its reader. */
  constructor(driver: ProcessDriver, lifecycle: Lifecycle, view: (source: OutputSource) => OutputSource) {
    this.#driver = driver
    this.#lifecycle = lifecycle
    this.stdin = driver.stdin
    this.stdout = driver.stdout
    this.stderr = driver.stderr
    this.control = driver.control
    const { stdout, stderr } = driver.output
    this.collected = {
      ...(stdout && { stdout: createReader(view(stdout)) }),
      ...(stderr && { stderr: createReader(view(stderr)) })
    }
  }

  get pid(): number {
    return this.#lifecycle.startFailed ? -1 : this.#driver.pid
  }

  get done(): Promise<SubprocessOutcome> {
    return this.#lifecycle.done
  }

  get facts(): SubprocessFacts {
    const { exit, empty, lost } = this.#lifecycle
    return {
      range: this.#driver.range,
      cause: exit === null ? this.#driver.cause : exit.cause,
      quiescent: empty && lost === null,
      usage: exit === null ? null : exit.usage
    }
  }

  terminate(): void {
    if (this.#lifecycle.empty) return
    this.#lifecycle.ladderStarted()
    this.#driver.terminate()
  }

  async waitForExit(signal?: AbortSignal): Promise<boolean> {
    checkSignal('signal', signal)
    return this.#lifecycle.waitUntilEmpty(signal)
  }

  /** KILL on what is left, synchronously. */
  kill(): void {
    if (!this.#lifecycle.empty) this.#driver.kill()
  }

  /** Resolves when the command has settled and its range is empty; a failed start is over at once. */
  async over(): Promise<void> {
    const settled = this.#lifecycle.done.then(
      () => {},
      () => {}
    )
    await Promise.all([settled, this.#lifecycle.waitUntilEmpty(undefined)])
  }

  /** To be called when the range is empty: what was never ended has no reader any more, and holds a descriptor. */
  closeInputs(): void {
    if (this.stdin?.writableEnded === false) this.stdin.destroy()
    if (this.control?.writableEnded === false) this.control.end()
  }

  /**
   * To be called at disposal, when everything has ended: an output that nobody ever began to read holds a descriptor. One
   * that somebody reads is left to its reader.
   */
  closeUnreadOutputs(): void {
    for (const stream of [this.stdout, this.stderr, this.control]) {
      if (stream?.readableFlowing === null) stream.destroy()
    }
  }

  get hasOpenOutputs(): boolean {
    return [this.stdout, this.stderr, this.control].some((stream) => stream?.closed === false)
  }

  /** To be called when the start failed: nobody is at the other ends. */
  abandonStreams(): void {
    this.stdin?.destroy()
    this.control?.destroy()
    // Reading lets them reach their end and close even if nobody else reads them.
    this.stdout?.resume()
    this.stderr?.resume()
  }
}
