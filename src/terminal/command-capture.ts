// What a command writes, between the mark that it begins with and the one that it ends with: the first part of it, bounded,
// however much comes.

import { endMark as promptMark } from './bash-backend.js'
import type { Cleaned } from './clean-text.js'
import type { TerminalSession } from './session.js'

const beginMark = 'quiesce;B'
const endMark = 'quiesce;E'

export class CommandCapture {
  exitCode: number | undefined
  begun = false
  /** The shell has shown a prompt after the beginning. */
  prompted = false
  text = ''
  total = 0
  readonly #limit: number
  readonly #begin: string
  readonly #end: string
  readonly #promptSuffix: string
  readonly #stop: () => void

  constructor(session: TerminalSession, limit: number) {
    this.#limit = limit
    this.#begin = `${beginMark};${crypto.randomUUID()}`
    this.#end = `${endMark};${crypto.randomUUID()}`
    this.#promptSuffix = `;${session.nonce}`
    this.#stop = session.listen((cleaned, position) => this.#take(cleaned, position))
  }

  /** Shell source that shows the marks; the escape codes stand in it as text, so its own echo is none. */
  get beginSource(): string {
    return `\\builtin printf '\\033]${this.#begin}\\007' >/dev/tty`
  }

  /** Shows the exit status of the command before it. */
  get endSource(): string {
    return `\\builtin printf '\\033]${this.#end};%s\\007' "$?" >/dev/tty`
  }

  get truncated(): boolean {
    return this.total > this.text.length
  }

  stop(): void {
    this.#stop()
  }

  #take({ text, marks }: Cleaned, position: number): void {
    let from = this.begun ? 0 : undefined
    let to = text.length
    for (const { payload, at } of marks) {
      if (this.exitCode !== undefined) break
      if (payload === this.#begin) {
        this.begun = true
        from = at - position
      } else if (this.begun && payload.startsWith(`${this.#end};`)) {
        this.exitCode = Number(payload.slice(this.#end.length + 1))
        to = at - position
      } else if (this.begun && payload.startsWith(promptMark) && payload.endsWith(this.#promptSuffix)) {
        this.prompted = true
      }
    }
    if (this.exitCode !== undefined) this.#stop()
    if (from === undefined) return
    this.total += to - from
    this.text += text.slice(from, Math.min(to, from + this.#limit - this.text.length))
  }
}
