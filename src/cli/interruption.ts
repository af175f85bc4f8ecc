// What SIGINT, SIGTERM and SIGHUP do to the command line: the first ends the command's range with the ladder, a second
// one leaves at once, and the exit hook of the runtime then kills what is left.

import { exitCodeOfSignal } from './exit-codes.js'

const handled = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

export class Interruption {
  readonly #controller = new AbortController()
  #by: NodeJS.Signals | null = null

  constructor() {
    for (const signal of handled) process.on(signal, this.#receive)
  }

  /** Aborts with the first of the signals. */
  get signal(): AbortSignal {
    return this.#controller.signal
  }

  /** The first signal that came. */
  get by(): NodeJS.Signals | null {
    return this.#by
  }

  /** Ends the command as a signal would, without being one. */
  end(reason: unknown): void {
    this.#controller.abort(reason)
  }

  readonly #receive = (signal: NodeJS.Signals): void => {
    if (this.#by !== null) process.exit(exitCodeOfSignal(signal))
    this.#by = signal
    this.#controller.abort(new Error(`interrupted by ${signal}`))
  }
}
