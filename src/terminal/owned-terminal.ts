// One session of one owner: sends one after the other, an interrupt for a send that is given up, an end that can be retried.

import { TerminalError } from '../errors/terminal-error.js'
import { onAbort } from '../subprocess/local/abort-listeners.js'
import type { SubprocessTerminalSignal } from '../subprocess/terminal-types.js'
import { firstFitting } from './clip.js'
import { type Beginning, beginning, type Readiness, whenReady } from './readiness.js'
import type { TerminalSession } from './session.js'
import { lineLimitBytes, type TerminalTimings } from './settings.js'
import type { TerminalOwner, TerminalSendResult, TerminalSnapshot } from './types.js'

export interface TerminalIdentity {
  readonly id: string
  readonly name: string | undefined
  readonly owner: TerminalOwner
  readonly backend: string
  readonly cwd: string
}

/** A checked send, with its defaults. */
export interface Typing {
  readonly text: string
  readonly enter: boolean
  readonly timeoutMs: number
  readonly maxBytes: number
  readonly signal: AbortSignal | undefined
}

export class OwnedTerminal {
  readonly session: TerminalSession
  readonly identity: TerminalIdentity
  readonly #timings: TerminalTimings
  readonly listed: boolean
  #sending = false
  /** How many prompts there were when a signal was sent that no prompt has come after. */
  #signalledAt: number | undefined
  #closing: Promise<void> | undefined

  constructor(session: TerminalSession, identity: TerminalIdentity, timings: TerminalTimings, listed = true) {
    this.session = session
    this.identity = identity
    this.#timings = timings
    this.listed = listed
  }

  get snapshot(): TerminalSnapshot {
    const { outcome, handle } = this.session
    const state = outcome !== undefined ? 'exited' : this.#sending ? 'sending' : 'open'
    return { ...this.identity, pid: handle.pid, state, outcome }
  }

  async send({ text, enter, timeoutMs, maxBytes, signal }: Typing): Promise<TerminalSendResult> {
    const { id } = this.identity
    if (this.session.outcome !== undefined)
      throw new TerminalError('SESSION_EXITED', `the shell of terminal ${id} has ended`)
    if (this.#sending) throw new TerminalError('SEND_ACTIVE', `another send to terminal ${id} is under way`)
    // As the key does; the terminal makes a line feed of it unless its program has asked for the key.
    const typed = enter ? `${text}\r` : text
    this.#checkLines(typed)
    this.#sending = true
    await this.#afterSignal()
    const position = this.session.text.end
    const before = beginning(this.session, linesOf(typed))
    const written = this.session.handle.write(typed).catch(() => {
      // Refused because the shell has ended, which is the reason that the send returns.
    })
    try {
      const ready = await this.#untilReady(before, timeoutMs, signal)
      return this.#result(ready, position, maxBytes)
    } finally {
      // What nobody has taken yet would mix with what the next send types.
      void written.then(() => {
        this.#sending = false
      })
      // Most often it is over, and then the next send need not fail for that.
      await Promise.race([written, new Promise((resolve) => setImmediate(resolve))])
    }
  }

  /** Signals the foreground group and returns its id. */
  signal(signal: SubprocessTerminalSignal): number {
    const group = this.session.handle.signalForeground(signal)
    this.#signalledAt = this.session.prompts
    return group
  }

  /** Idempotent while it runs and after it; a failed one can be called again. */
  close(): Promise<void> {
    this.#closing ??= this.session.handle
      .terminate()
      .then(() => this.session.ended)
      .catch((error: unknown) => {
        this.#closing = undefined
        throw error
      })
    return this.#closing
  }

  /** The prompt that a signal leads to may be still on its way, and must not pass for the answer to what is typed next. */
  async #afterSignal(): Promise<void> {
    const { session } = this
    const prompts = this.#signalledAt
    this.#signalledAt = undefined
    const until = performance.now() + this.#timings.handoffMs
    // Whoever waits for input shows no prompt any more; what has been shown may still be on its way here, though.
    let waiting = false
    while (session.prompts === prompts && session.outcome === undefined) {
      const leftMs = until - performance.now()
      if (leftMs <= 0) return
      const waits = session.handle.inspectForeground()?.inputWaiting === true
      if (waits && waiting) return
      const looked = performance.now()
      await session.change(Math.min(leftMs, this.#timings.pollMs))
      waiting = waits && session.lastOutputAt < looked
    }
  }

  async #untilReady(before: Beginning, timeoutMs: number, signal: AbortSignal | undefined): Promise<Readiness> {
    let aborted = signal?.aborted === true
    const stopListening =
      signal &&
      onAbort(signal, () => {
        aborted = true
        this.session.wake()
      })
    try {
      const ready = await whenReady(this.session, before, this.#timings, timeoutMs, () => aborted)
      if (ready !== undefined) return ready
      await this.#interrupt()
      throw signal?.reason
    } finally {
      stopListening?.()
    }
  }

  /** A real signal: a control character would wait behind unread input, or be read by a program in raw mode. */
  async #interrupt(): Promise<void> {
    const before = beginning(this.session)
    try {
      this.session.handle.signalForeground('SIGINT')
    } catch {
      // Nobody is in the foreground any more.
      return
    }
    // Its prompt belongs to this send and must not pass for that of the next.
    await whenReady(this.session, before, this.#timings, this.#timings.graceMs)
  }

  #result(ready: Readiness, position: number, maxBytes: number): TerminalSendResult {
    const { text, outcome } = this.session
    const all = text.from(position)
    const cut = firstFitting(all, maxBytes)
    return {
      ...ready,
      output: all.slice(cut),
      truncated: cut > 0 || text.start > position,
      position: text.end,
      outcome: ready.reason === 'session_exit' ? outcome : undefined
    }
  }

  /** A shell at its prompt edits the line itself and takes it whole; everything else gets no more than the kernel's line. */
  #checkLines(typed: string): void {
    const lines = typed.split(/(?<=[\n\r])/)
    const long = lines.findIndex(
      (line, index) => Buffer.byteLength(line) > lineLimitBytes && (index > 0 || !this.session.atPrompt)
    )
    if (long === -1) return
    const bytes = Buffer.byteLength(lines[long] ?? '')
    throw new TerminalError(
      'LINE_TOO_LONG',
      `line ${long + 1} of the text has ${bytes} bytes, of which a program that reads by the line would get only the first ` +
        `${lineLimitBytes}; send shorter lines, or put the text in a file`
    )
  }
}

const linesOf = (typed: string): number => typed.match(/[\n\r]/g)?.length ?? 0
