// The time between `execute` and the spawn: the clock of the deadline, and a race of the work against that clock and the
// caller's signal. Whichever comes first decides; what comes later is dropped.

import type { ShellExecSpec } from './types.js'

/** The work was still going on when the deadline passed. */
export const expired: unique symbol = Symbol('expired')

/** Why the signal of a preparation aborted when its deadline passed. */
export class BashTimeoutError extends Error {
  readonly code = 'BASH_TIMEOUT'

  constructor(timeoutMs: number) {
    super(`bash-local: the deadline of ${timeoutMs} ms passed before the command was started`)
    this.name = 'TimeoutError'
  }
}

/** What work before the spawn may know of its deadline. */
export interface Preparation {
  /** Aborts when the result would no longer be used: with `BashTimeoutError`, or the reason of the caller's signal. */
  readonly signal: AbortSignal
  /** What is left of the deadline, in milliseconds; not positive once it has passed. */
  readonly remainingMs: number
}

export class PreparationRace implements Preparation {
  readonly #spec: ShellExecSpec
  readonly #startedAt = performance.now()
  // Making its signal is what costs; a controller that is never asked for it costs nothing.
  readonly #controller = new AbortController()

  constructor(spec: ShellExecSpec) {
    this.#spec = spec
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get remainingMs(): number {
    return this.#spec.timeoutMs - (performance.now() - this.#startedAt)
  }

  get #expired(): boolean {
    return this.#spec.onExpiry === 'kill' && this.remainingMs <= 0
  }

  /** Resolves with the work's value or `expired`; rejects with the work's error or the reason of the caller's signal. */
  race<T>(work: Promise<T>): Promise<T | typeof expired> {
    const { signal, onExpiry } = this.#spec
    return new Promise((resolve, reject) => {
      const abandon = (reason: unknown): void => {
        close()
        this.#controller.abort(reason)
      }
      const onAbort = (): void => {
        abandon(signal?.reason)
        reject(signal?.reason)
      }
      const onDeadline = (): void => {
        abandon(new BashTimeoutError(this.#spec.timeoutMs))
        resolve(expired)
      }
      const timer = onExpiry === 'kill' ? setTimeout(onDeadline, Math.max(this.remainingMs, 0)) : undefined
      const close = (): void => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', onAbort)
      }
      signal?.addEventListener('abort', onAbort)
      if (signal?.aborted) onAbort()
      work.then(
        (value) => {
          // A busy event loop can deliver the work before a timer that was due first.
          if (this.#expired) return onDeadline()
          close()
          resolve(value)
        },
        (error: unknown) => {
          close()
          reject(error)
        }
      )
    })
  }
}
