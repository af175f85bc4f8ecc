// The terminals of one runtime: those being started and those that are not over. A caller who cancels gets his reason at
// once, and what arrives after that is ended here.

import { composeEnvironment } from '../environment.js'
import type { SubprocessTerminalHandle, SubprocessTerminalSpawnSpec } from '../terminal-types.js'
import { onAbort } from './abort-listeners.js'
import type { LocalTerminal, PreparedTerminal } from './terminal-driver.js'

type Start = (prepared: PreparedTerminal) => Promise<LocalTerminal>

export class TerminalSet {
  readonly #start: Start
  readonly #starting = new Set<Promise<unknown>>()
  readonly #live = new Set<LocalTerminal>()
  #ending = false

  constructor(start: Start) {
    this.#start = start
  }

  /** For a checked spec. */
  async start(spec: SubprocessTerminalSpawnSpec): Promise<SubprocessTerminalHandle> {
    const { signal } = spec
    const arrival = this.#start({ ...spec, environment: environmentOf(spec) }).then((terminal) => this.#adopt(terminal))
    const settled = arrival.then(
      () => {},
      () => {}
    )
    this.#starting.add(settled)
    void settled.then(() => this.#starting.delete(settled))
    const terminal = signal === undefined ? await arrival : await cancellable(arrival, signal)
    if (!this.#ending) return terminal
    await terminal.terminate()
    throw new Error('cannot spawn: the subprocess runtime has been disposed')
  }

  /** Ends every terminal, also those that are still being started; returns what went wrong on the way. */
  async end(): Promise<unknown[]> {
    this.#ending = true
    await Promise.all(this.#starting)
    const results = await Promise.allSettled([...this.#live].map((terminal) => terminal.terminate()))
    return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
  }

  kill(): void {
    for (const terminal of this.#live) {
      try {
        terminal.kill()
      } catch {
        // A terminal that cannot be killed must not save the others.
      }
    }
  }

  #adopt(terminal: LocalTerminal): LocalTerminal {
    this.#live.add(terminal)
    void terminal.over.then(() => this.#live.delete(terminal))
    return terminal
  }
}

/** A terminal without abilities: programs that ask get plain text. */
function environmentOf({ env }: SubprocessTerminalSpawnSpec): ReadonlyMap<string, string> {
  return composeEnvironment(env !== undefined && 'TERM' in env ? env : { ...env, TERM: 'dumb' })
}

async function cancellable(arrival: Promise<LocalTerminal>, signal: AbortSignal): Promise<LocalTerminal> {
  let stopListening = (): void => {}
  let cancelled = false
  try {
    return await new Promise<LocalTerminal>((resolve, reject) => {
      stopListening = onAbort(signal, () => {
        cancelled = true
        reject(signal.reason)
      })
      arrival.then((terminal) => {
        if (!cancelled) return resolve(terminal)
        // Nobody is left to be told of a failure; a terminal that resisted is tried again at disposal.
        terminal.terminate().catch(() => {})
      }, reject)
    })
  } finally {
    stopListening()
  }
}
