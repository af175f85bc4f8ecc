// One piece of work that several wait for: each may give up for itself, and the work is cancelled when nobody waits any
// more.

export class SharedWork<T> {
  readonly #controller = new AbortController()
  readonly #work: Promise<T>
  #waiting = 0

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#work = work(this.#controller.signal)
    // Whoever waits hears of it; if all have given up, nobody needs to.
    this.#work.catch(() => undefined)
  }

  /** The work itself; looking at it is no waiting. */
  get settled(): Promise<T> {
    return this.#work
  }

  /** Nobody waits any more, so that it will not be finished. */
  get abandoned(): boolean {
    return this.#controller.signal.aborted
  }

  cancel(reason: unknown): void {
    this.#controller.abort(reason)
  }

  /** Rejects with the work's error, or the reason of `signal` once that aborts. */
  wait(signal?: AbortSignal): Promise<T> {
    this.#waiting += 1
    return new Promise<T>((resolve, reject) => {
      let waits = true
      const leave = (): void => {
        if (waits) this.#waiting -= 1
        waits = false
        signal?.removeEventListener('abort', giveUp)
      }
      const giveUp = (): void => {
        leave()
        if (this.#waiting === 0) this.cancel(signal?.reason)
        reject(signal?.reason)
      }
      signal?.addEventListener('abort', giveUp)
      if (signal?.aborted) return giveUp()
      this.#work.then(
        (value) => {
          leave()
          resolve(value)
        },
        (error: unknown) => {
          leave()
          reject(error)
        }
      )
    })
  }
}
