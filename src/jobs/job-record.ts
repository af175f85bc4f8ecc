// One job as a state machine: running, stopping, and the first end that comes. It knows nothing of other jobs.

import type { TakenHooks } from './hooks.js'
import { TextReader } from './text-reader.js'
import type { JobAnnouncement, JobHooks, JobOutcome, JobOutput, JobOwner, JobSnapshot, JobState } from './types.js'

export class JobRecord {
  readonly id: string
  readonly owner: JobOwner | undefined
  readonly outputLimitBytes: number
  /** Somebody has been told of the end, or has asked for it. */
  reported = false
  readonly #announcement: JobAnnouncement
  readonly #hooks: JobHooks
  readonly #startedAt = Date.now()
  readonly #waiters = new Set<() => void>()
  #state: JobState = 'running'
  #detail: string | undefined
  #endedAt: number | undefined
  #finalOutput: JobOutput | undefined
  #cancelling = false

  constructor(id: string, announcement: JobAnnouncement, outputLimitBytes: number, { hooks }: TakenHooks) {
    this.id = id
    this.owner = announcement.owner
    this.outputLimitBytes = outputLimitBytes
    this.#announcement = announcement
    this.#hooks = hooks
  }

  get isActive(): boolean {
    return this.#state === 'running' || this.#state === 'stopping'
  }

  get snapshot(): JobSnapshot {
    const { kind, label } = this.#announcement
    return Object.freeze({
      id: this.id,
      kind,
      label,
      owner: this.owner,
      state: this.#state,
      detail: this.#detail,
      outputLimitBytes: this.outputLimitBytes,
      startedAt: this.#startedAt,
      endedAt: this.#endedAt,
      reported: this.reported
    })
  }

  /** The readers of a job that has some, as they are now. */
  get output(): JobOutput | undefined {
    return this.#hooks.output ?? undefined
  }

  /** What a job without readers said in the end. */
  get finalOutput(): JobOutput | undefined {
    return this.#finalOutput
  }

  /** Empty while it is active. */
  notes(): readonly string[] {
    return this.isActive ? [] : (this.#hooks.notes?.() ?? [])
  }

  /** What cancelling throws is thrown, and the state is then as it was. A call from within it asks for nothing more. */
  cancel(reason: string): void {
    if (this.#cancelling || !this.isActive) return
    this.#cancelling = true
    try {
      this.#hooks.cancel(reason)
    } finally {
      this.#cancelling = false
    }
    if (this.#state === 'running') this.#state = 'stopping'
  }

  /** False if it had ended before: the first end stays. Whoever waits for it counts as told. */
  settle({ state, detail, output }: JobOutcome): boolean {
    if (!this.isActive) return false
    this.#state = state
    this.#detail = detail
    this.#endedAt = Date.now()
    if (output !== undefined) this.#finalOutput = { stdout: new TextReader(output) }
    if (this.#waiters.size > 0) this.reported = true
    for (const told of this.#waiters) told()
    this.#waiters.clear()
    return true
  }

  /** Calls `told` at the end. Returns what takes it away. For a job that is active. */
  whenEnded(told: () => void): () => void {
    this.#waiters.add(told)
    return () => void this.#waiters.delete(told)
  }
}
