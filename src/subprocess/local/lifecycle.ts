// What became of one command, fed by its driver: settled or failed, and whether its range is empty. Emptiness is a
// one-way door. Holds the event loop for as long as somebody can still be waiting for something.

import type { SubprocessOutcome } from '../types.js'
import { onAbort } from './abort-listeners.js'
import type { DriverEvents, DriverExit } from './driver.js'
import type { LoopHold } from './loop-hold.js'

interface Waiter {
  readonly resolve: (empty: boolean) => void
  readonly reject: (error: Error) => void
}

export class Lifecycle implements DriverEvents {
  /** Rejects only if the start failed. That nobody looks is no unhandled rejection. */
  readonly done: Promise<SubprocessOutcome>
  exit: DriverExit | null = null
  startFailed = false
  /** Nobody is left who could be signalled: proven, unless the range was lost before. */
  empty = false
  /** Why emptiness cannot be observed any more. */
  lost: Error | null = null

  readonly #hold: LoopHold
  readonly #releaseDone: () => void
  #releaseLadder: (() => void) | null = null
  readonly #waiters = new Set<Waiter>()
  #resolve!: (outcome: SubprocessOutcome) => void
  #reject!: (error: Error) => void
  readonly #onChange: () => void

  /** `onChange` runs after every event, with the state already changed. */
  constructor(hold: LoopHold, onChange: () => void) {
    this.#hold = hold
    this.#onChange = onChange
    this.#releaseDone = hold.acquire()
    this.done = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.done.catch(() => {})
  }

  /** Neither an outcome nor emptiness is outstanding. */
  get over(): boolean {
    return this.empty && (this.exit !== null || this.startFailed)
  }

  failed(error: Error): void {
    this.startFailed = true
    this.#reject(error)
    this.#releaseDone()
    this.quiescent()
  }

  settled(exit: DriverExit): void {
    this.exit = exit
    this.#resolve({ exitCode: exit.exitCode, signal: exit.signal })
    // A ladder that the driver began by itself, at a deadline, may still have to kill what the command left.
    if (exit.cause !== null && !exit.quiescent) this.ladderStarted()
    this.#releaseDone()
    // Emptiness may have been told before.
    if (exit.quiescent && !this.empty) this.quiescent()
    else this.#onChange()
  }

  quiescent(): void {
    if (this.empty) return
    this.empty = true
    this.#releaseLadder?.()
    for (const waiter of this.#waiters) waiter.resolve(true)
    this.#waiters.clear()
    this.#onChange()
  }

  unobservable(error: Error): void {
    if (this.empty || this.lost !== null) return
    this.lost = error
    this.#releaseLadder?.()
    for (const waiter of this.#waiters) waiter.reject(error)
    this.#waiters.clear()
    this.#onChange()
  }

  /** The range is being ended, which must not be cut off by the host's running out of work. */
  ladderStarted(): void {
    if (this.empty || this.lost !== null) return
    this.#releaseLadder ??= this.#hold.acquire()
  }

  async waitUntilEmpty(signal: AbortSignal | undefined): Promise<boolean> {
    if (this.lost !== null) throw this.lost
    if (this.empty) return true
    if (signal?.aborted) return false
    const release = this.#hold.acquire()
    let stopListening = (): void => {}
    try {
      return await new Promise<boolean>((resolve, reject) => {
        const waiter = { resolve, reject }
        // First, since a signal of foreign make may refuse its listener.
        const abandon = (): void => {
          this.#waiters.delete(waiter)
          resolve(false)
        }
        if (signal !== undefined) stopListening = onAbort(signal, abandon)
        this.#waiters.add(waiter)
      })
    } finally {
      stopListening()
      release()
    }
  }
}
