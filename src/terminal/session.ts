// One terminal as text: what it has shown, the marks of its prompts, and its end. Knows nothing of owners or of sends.

import type { SubprocessTerminalHandle } from '../subprocess/terminal-types.js'
import type { SubprocessOutcome } from '../subprocess/types.js'
import { continuationMark, endMark, type TerminalLaunch } from './bash-backend.js'
import { type Cleaned, CleanText, type Mark } from './clean-text.js'
import { RetainedText } from './retained-text.js'
import { retainedBytes, retainedLines } from './settings.js'

/** Gets the text of each chunk, the marks in it, and the position where the text begins. */
export type SessionListener = (cleaned: Cleaned, position: number) => void

export class TerminalSession {
  readonly handle: SubprocessTerminalHandle
  readonly text = new RetainedText(retainedBytes, retainedLines)
  /** The output has ended too. */
  outcome: SubprocessOutcome | undefined
  /** Prompts so far, and prompts for the rest of an unfinished command. */
  prompts = 0
  continuations = 0
  /** How the last command ended, as the last prompt told. */
  lastStatus: number | undefined
  /** When the last output came, by `performance.now()`. */
  lastOutputAt = performance.now()
  readonly ended: Promise<void>
  readonly #launch: TerminalLaunch
  /** In the marks of this session's prompts. */
  readonly nonce: string
  readonly #clean = new CleanText()
  readonly #listeners = new Set<SessionListener>()
  readonly #waiting = new Set<() => void>()
  #promptAt = -1
  #continuationAt = -1

  constructor(handle: SubprocessTerminalHandle, launch: TerminalLaunch, nonce: string) {
    this.handle = handle
    this.#launch = launch
    this.nonce = nonce
    handle.output.on('data', (bytes: Uint8Array) => this.#take(this.#clean.push(bytes)))
    const outputEnded = new Promise<void>((resolve) => handle.output.once('close', resolve))
    this.ended = Promise.all([handle.done, outputEnded]).then(([outcome]) => {
      this.#take(this.#clean.end())
      this.outcome = outcome
      this.#wake()
    })
  }

  /** The exact prompt is the last thing that was shown. */
  get atPrompt(): boolean {
    return this.#endsWith(this.#promptAt, this.#launch.prompt)
  }

  get atContinuation(): boolean {
    return this.#endsWith(this.#continuationAt, this.#launch.continuation)
  }

  /** Calls `listener` for everything that is shown from now on; returns the way to stop that. */
  listen(listener: SessionListener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Resolves with the next output or the end, at the latest after `ms`. */
  async change(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#waiting.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, ms)
      this.#waiting.add(wake)
    })
  }

  /** Whoever waits for a change looks again. */
  wake(): void {
    this.#wake()
  }

  #take(cleaned: Cleaned): void {
    const position = this.text.end
    this.text.append(cleaned.text)
    this.lastOutputAt = performance.now()
    for (const mark of cleaned.marks) this.#note(mark)
    for (const listener of this.#listeners) listener(cleaned, position)
    this.#wake()
  }

  #note({ payload, at }: Mark): void {
    if (payload === `${continuationMark};${this.nonce}`) {
      this.continuations += 1
      this.#continuationAt = at
    } else if (payload.startsWith(`${endMark};`) && payload.endsWith(`;${this.nonce}`)) {
      this.prompts += 1
      this.#promptAt = at
      this.lastStatus = Number(payload.split(';')[2])
    }
  }

  #endsWith(position: number, prompt: string | undefined): boolean {
    if (prompt === undefined || position < 0 || this.text.end - position !== prompt.length) return false
    return this.text.from(position) === prompt
  }

  #wake(): void {
    for (const wake of [...this.#waiting]) wake()
  }
}
