// A command in a terminal of the native core: the handle that callers hold, fed by the core's events.

import type { Readable } from 'node:stream'
import { invalidType } from '../../../errors/invalid-input.js'
import { foregroundUnknown, shellKillRefused } from '../../../errors/terminal-texts.js'
import { eventField, eventKinds, type NativeTerminal as Native } from '../../../native/binding.js'
import type { LoopHold } from '../../local/loop-hold.js'
import type { LocalTerminal } from '../../local/terminal-driver.js'
import { checkSide } from '../../preflight-terminal.js'
import type { SubprocessTerminalForeground, SubprocessTerminalSignal } from '../../terminal-types.js'
import type { RangeKind, SubprocessOutcome } from '../../types.js'
import { toExit, unobservableError } from '../native-driver.js'
import { TerminalInput } from './input.js'
import { TerminalOutput } from './output.js'
import { TerminalRest } from './rest.js'

const signals: readonly SubprocessTerminalSignal[] = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGTSTP', 'SIGHUP']

export class NativeTerminal implements LocalTerminal {
  readonly range: RangeKind
  readonly done: Promise<SubprocessOutcome>
  readonly #native: Native
  readonly #input: TerminalInput
  readonly #output: TerminalOutput
  readonly #rest: TerminalRest
  #settled = false
  /** Not so for a command that has been given up because even KILL does not end it. */
  #reaped = false
  #settle!: (outcome: SubprocessOutcome) => void

  constructor(native: Native, range: RangeKind, graceMs: number, hold: LoopHold) {
    this.range = range
    this.#native = native
    this.#input = new TerminalInput(native)
    this.#output = new TerminalOutput(native)
    this.#rest = new TerminalRest(hold, graceMs)
    this.done = new Promise((resolve) => {
      this.#settle = resolve
    })
  }

  get pid(): number {
    return this.#native.pid
  }

  get output(): Readable {
    return this.#output.stream
  }

  get quiescent(): boolean {
    return this.#rest.empty
  }

  get over(): Promise<void> {
    return this.#rest.over
  }

  write(data: string | Uint8Array): Promise<void> {
    return this.#input.write(data)
  }

  resize(cols: number, rows: number): void {
    checkSide('cols', cols)
    checkSide('rows', rows)
    this.#native.resize(rows, cols)
  }

  inspectForeground(): SubprocessTerminalForeground | undefined {
    const group = this.#native.foreground()
    if (group <= 0) return undefined
    return { processGroupId: group, inputWaiting: this.#native.inputWanted(group) }
  }

  signalForeground(signal: SubprocessTerminalSignal): number {
    if (!signals.includes(signal)) throw invalidType('signal', signal, `must be one of ${signals.join(', ')}`)
    const group = this.#native.foreground()
    if (group <= 0) throw foregroundUnknown(this.pid)
    if (signal === 'SIGKILL' && group === this.pid) throw shellKillRefused()
    try {
      process.kill(-group, signal)
    } catch (error) {
      // The group has ended since it was asked for.
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') throw foregroundUnknown(this.pid)
      throw error
    }
    return group
  }

  terminate(): Promise<void> {
    return this.#rest.end(() => this.#native.terminate(), this.#reaped ? [] : [this.pid])
  }

  kill(): void {
    if (!this.#rest.empty) this.#native.kill()
  }

  /** What the core reports after the start: an event of the batch. */
  handle(batch: Float64Array, at: number): void {
    switch (batch[at + eventField.kind]) {
      case eventKinds.readable:
        this.#output.pull()
        break
      case eventKinds.written:
        this.#input.passed(batch[at + eventField.writes] as number)
        break
      case eventKinds.settled:
        this.#onSettled(batch, at)
        break
      case eventKinds.quiescent:
        this.#rest.reached()
        break
      case eventKinds.unobservable:
        this.#rest.lost(unobservableError(this.#native.trouble()))
        break
    }
  }

  /** Nothing more will be reported. */
  get finished(): boolean {
    return this.#settled && this.#rest.empty
  }

  #onSettled(batch: Float64Array, at: number): void {
    this.#settled = true
    this.#input.close()
    this.#output.pull()
    const { exitCode, signal } = toExit(batch, at)
    this.#reaped = exitCode !== null || signal !== null
    this.#settle({ exitCode, signal })
    this.#rest.exited()
  }
}
