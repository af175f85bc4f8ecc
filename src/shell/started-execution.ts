// A started command as an execution: what became of it (done, status), how to end it, and its result. The facts come
// from the subprocess handle; the first cause that the handle stored tells a timeout from an abort.

import type { SubprocessHandle, SubprocessOutcome } from '../subprocess/types.js'
import type { Confinement } from './confinement.js'
import { ExecutionOutput, outputOf } from './execution-output.js'
import { failureNote } from './failure-note.js'
import { innerSignalOf } from './signal-names.js'
import type {
  ShellExecSpec,
  ShellExecution,
  ShellProcessRead,
  ShellProcessStatus,
  ShellRunResult,
  ShellSandboxInfo
} from './types.js'

type Settlement =
  | { readonly kind: 'outcome'; readonly timedOut: boolean; readonly aborted: boolean }
  | { readonly kind: 'failure'; readonly error: unknown }

/** What an execution must know of how its command was asked for. */
export type ExecutionTerms = Pick<ShellExecSpec, 'signal' | 'leftovers' | 'timeoutMs' | 'workdir'>

export class StartedExecution implements ShellExecution {
  readonly done: Promise<void>
  readonly observed: ShellExecution['observed']
  readonly #handle: SubprocessHandle
  readonly #terms: ExecutionTerms
  readonly #output: ExecutionOutput
  readonly #confinement: Confinement | undefined
  #sandbox: ShellSandboxInfo | undefined
  #status: ShellProcessStatus = 'running'
  #exitCode: number | null = null
  #signal: NodeJS.Signals | null = null
  #killRequested = false
  #settlement: Settlement | undefined
  #result: Promise<ShellRunResult> | undefined

  constructor(handle: SubprocessHandle, terms: ExecutionTerms, confinement?: Confinement) {
    this.#handle = handle
    this.#terms = terms
    this.#confinement = confinement
    this.#sandbox = confinement?.info
    this.#output = new ExecutionOutput(handle.collected)
    this.observed = this.#output
    this.done = handle.done.then(
      (outcome) => this.#settle(outcome),
      (error: unknown) => this.#fail(error)
    )
  }

  get status(): ShellProcessStatus {
    return this.#status
  }

  get exitCode(): number | null {
    return this.#exitCode
  }

  get signal(): NodeJS.Signals | null {
    return this.#signal
  }

  get sandbox(): ShellSandboxInfo | undefined {
    return this.#sandbox
  }

  readOutput(): ShellProcessRead {
    return this.#output.read()
  }

  kill(): boolean {
    if (this.#settlement || this.#killRequested) return false
    this.#killRequested = true
    this.#status = 'killed'
    this.#handle.terminate()
    return true
  }

  waitForExit(signal?: AbortSignal): Promise<boolean> {
    return this.#handle.waitForExit(signal)
  }

  result(): Promise<ShellRunResult> {
    this.#result ??= this.#project()
    return this.#result
  }

  #settle(outcome: SubprocessOutcome): void {
    const { cause } = this.#handle.facts
    this.#exitCode = outcome.exitCode
    this.#signal = outcome.signal
    this.#status = this.#killRequested || cause !== null || outcome.signal !== null ? 'killed' : 'completed'
    this.#settlement = { kind: 'outcome', timedOut: cause === 'deadline', aborted: cause === 'terminate' }
    if (outcome.exitCode !== null) this.#readEnd(outcome.exitCode, cause !== null)
  }

  /** A runner that was told to end has not failed. */
  #readEnd(exitCode: number, wasEnded: boolean): void {
    const reading = this.#confinement?.readEnd(exitCode, () => this.#output.stderr.readFrom(0).text)
    if (reading === undefined || (wasEnded && reading.error !== undefined)) return
    this.#sandbox = reading.info
    if (reading.error !== undefined) this.#settlement = { kind: 'failure', error: reading.error }
  }

  /** A rejection after the command was asked to end is how it ended, and no failure of the infrastructure. */
  #fail(error: unknown): void {
    const { cause } = this.#handle.facts
    const timedOut = cause === 'deadline'
    this.#status = 'killed'
    if (cause !== null || this.#killRequested || this.#terms.signal?.aborted) {
      this.#settlement = { kind: 'outcome', timedOut, aborted: !timedOut }
    } else {
      this.#output.stderr.append(failureNote(error))
      const reading = this.#confinement?.readFailedStart(error, this.#terms.workdir)
      this.#sandbox = reading?.info
      this.#settlement = { kind: 'failure', error: reading?.error ?? error }
    }
  }

  async #project(): Promise<ShellRunResult> {
    await this.done
    const settlement = this.#settlement as Settlement
    if (settlement.kind === 'failure') throw settlement.error
    // A range that cannot be observed any more is told by `quiescent: false`.
    if (this.#terms.leftovers === 'terminate') await this.#handle.waitForExit().catch(() => false)
    const { quiescent, range, usage } = this.#handle.facts
    const innerSignal = innerSignalOf(this.#exitCode)
    return {
      exitCode: this.#exitCode,
      signal: this.#signal,
      ...(innerSignal !== undefined && { innerSignal }),
      ...(usage !== null && usage.oomKills !== null && usage.oomKills > 0 && { oomKilled: true as const }),
      timedOut: settlement.timedOut,
      aborted: settlement.aborted,
      timeoutMs: this.#terms.timeoutMs,
      quiescent,
      range,
      usage,
      stdout: outputOf(this.#output.stdout),
      stderr: outputOf(this.#output.stderr),
      ...(this.#sandbox && { sandbox: this.#sandbox })
    }
  }
}
