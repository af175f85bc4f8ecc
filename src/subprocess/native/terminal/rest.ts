// When a terminal has come to rest: its command has exited and nobody of its range is left. Holds the event loop until then,
// since what a command leaves is ended by itself.

import { cleanupFailed } from '../../../errors/terminal-texts.js'
import type { LoopHold } from '../../local/loop-hold.js'

/** For KILL to work, however short the grace, and for the news of it. */
const killPatienceMs = 1500
const longestDelayMs = 2_147_483_647

export class TerminalRest {
  empty = false
  /** Never rejects, and stays pending for a terminal that cannot be observed any more. */
  readonly over: Promise<void>
  readonly #graceMs: number
  readonly #release: () => void
  readonly #waiters = new Set<(error: Error | null) => void>()
  #exited = false
  #lost: Error | null = null
  #ending: Promise<void> | null = null
  #isOver!: () => void

  constructor(hold: LoopHold, graceMs: number) {
    this.#graceMs = graceMs
    this.#release = hold.acquire()
    this.over = new Promise((resolve) => {
      this.#isOver = resolve
    })
  }

  exited(): void {
    this.#exited = true
    this.#check()
  }

  reached(): void {
    this.empty = true
    this.#tell(null)
    this.#check()
  }

  lost(error: Error): void {
    this.#lost = error
    this.#release()
    this.#tell(error)
  }

  /** Ends what is left by `terminate` and waits for that. `known` are processes that are surely alive. */
  end(terminate: () => void, known: readonly number[]): Promise<void> {
    if (this.empty) return Promise.resolve()
    this.#ending ??= this.#end(terminate, known).finally(() => {
      this.#ending = null
    })
    return this.#ending
  }

  async #end(terminate: () => void, known: readonly number[]): Promise<void> {
    terminate()
    if (this.#lost !== null) throw this.#lost
    const patienceMs = this.#graceMs + Math.max(this.#graceMs, killPatienceMs)
    await new Promise<void>((resolve, reject) => {
      const waiter = (error: Error | null): void => {
        clearTimeout(timer)
        this.#waiters.delete(waiter)
        if (error === null) resolve()
        else reject(error)
      }
      const timer = setTimeout(() => waiter(cleanupFailed(known)), Math.min(patienceMs, longestDelayMs))
      this.#waiters.add(waiter)
    })
  }

  #tell(error: Error | null): void {
    for (const waiter of this.#waiters) waiter(error)
  }

  #check(): void {
    if (!this.empty || !this.#exited) return
    this.#release()
    this.#isOver()
  }
}
