// An execution that has settled before anything was spawned: its deadline passed during preparation, or the provider
// refused it at once.

import { checkSignal } from '../subprocess/preflight-values.js'
import type { RangeKind } from '../subprocess/types.js'
import type { Confinement } from './confinement.js'
import { ExecutionOutput, outputOf } from './execution-output.js'
import { failureNote } from './failure-note.js'
import type { ShellExecSpec, ShellExecution, ShellProcessRead, ShellRunResult, ShellSandboxInfo } from './types.js'

/** Why nothing was started: the deadline, or the error that `result()` rejects with. */
export type UnstartedReason = { readonly timedOut: true } | { readonly error: unknown }

export class UnstartedExecution implements ShellExecution {
  readonly status = 'killed'
  readonly exitCode = null
  readonly signal = null
  readonly done: Promise<void> = Promise.resolve()
  readonly observed: ShellExecution['observed']
  readonly sandbox: ShellSandboxInfo | undefined
  readonly #output = new ExecutionOutput(null)
  readonly #reason: UnstartedReason
  readonly #spec: ShellExecSpec
  readonly #range: RangeKind
  #result: Promise<ShellRunResult> | undefined

  constructor(reason: UnstartedReason, spec: ShellExecSpec, range: RangeKind, confinement?: Confinement) {
    const failed = 'error' in reason ? confinement?.readFailedStart(reason.error, spec.workdir) : undefined
    this.#reason = failed?.error === undefined ? reason : { error: failed.error }
    this.sandbox = failed?.info ?? confinement?.info
    this.#spec = spec
    this.#range = range
    this.observed = this.#output
    if ('error' in reason) this.#output.stderr.append(failureNote(reason.error))
  }

  readOutput(): ShellProcessRead {
    return this.#output.read()
  }

  kill(): boolean {
    return false
  }

  /** Nothing was started, so the range is empty. */
  async waitForExit(signal?: AbortSignal): Promise<boolean> {
    checkSignal('signal', signal)
    return true
  }

  result(): Promise<ShellRunResult> {
    this.#result ??= this.#project()
    return this.#result
  }

  async #project(): Promise<ShellRunResult> {
    if ('error' in this.#reason) throw this.#reason.error
    return {
      exitCode: null,
      signal: null,
      timedOut: true,
      aborted: false,
      timeoutMs: this.#spec.timeoutMs,
      quiescent: true,
      range: this.#range,
      usage: null,
      stdout: outputOf(this.#output.stdout),
      stderr: outputOf(this.#output.stderr),
      ...(this.sandbox && { sandbox: this.sandbox })
    }
  }
}
