// The vocabulary of background jobs. Only types live here. All sizes are bytes, all durations milliseconds.

import type { SubprocessOutputReader } from '../subprocess/types.js'

/** `running` and `stopping` are active; the first of the other three to come stays. */
export type JobState = 'running' | 'stopping' | 'completed' | 'killed' | 'failed'

/** On whose behalf a job runs: the id of a session or an agent. A job without an owner is open to everybody. */
export type JobOwner = string

/** How a job ended, by whoever runs it. */
export interface JobOutcome {
  readonly state: 'completed' | 'killed' | 'failed'
  /** Said after the state, such as `exit code: 1`. */
  readonly detail?: string | undefined
  /** What a job without readers has to say in the end. A read of it begins anew after the last byte. */
  readonly output?: string | undefined
}

/** What a job prints: offset readers, which consume nothing, so that any number of watchers see all of it. */
export interface JobOutput {
  readonly stdout?: SubprocessOutputReader | undefined
  readonly stderr?: SubprocessOutputReader | undefined
}

/** A job that has been started. */
export interface JobHooks {
  /** Asks the work to end. Synchronous and idempotent; a throw means that nothing was asked. */
  cancel(reason: string): void
  /** Settles once what the job held is released. A rejection is a job that failed. */
  readonly done: PromiseLike<JobOutcome>
  /** Looked at for each read, so readers may come later than the job. */
  readonly output?: JobOutput | undefined
  /** Said at the end of each read once the job has settled, such as a denial of the sandbox. */
  notes?(): readonly string[]
}

export interface JobSpec {
  /** First part of the id, such as `bash`: ids are `<kind>-<n>`, counted for each kind. */
  readonly kind: string
  /** For people. */
  readonly label: string
  readonly owner?: JobOwner | undefined
  /** The most bytes of text that one read gives unless it asks otherwise; absent: the registry's. */
  readonly outputLimitBytes?: number | undefined
  /**
   * Called once, synchronously, after every check. If it throws, or gives no hooks, there is no job, and no number is used
   * up.
   */
  run(id: string): JobHooks
}

/** What a job is announced with, before it runs. */
export type JobAnnouncement = Omit<JobSpec, 'run'>

/** A job at one moment. */
export interface JobSnapshot {
  readonly id: string
  readonly kind: string
  readonly label: string
  readonly owner: JobOwner | undefined
  readonly state: JobState
  /** How it ended; `undefined` while it is active. */
  readonly detail: string | undefined
  /** The most bytes that one message with its output may have. */
  readonly outputLimitBytes: number
  /** Milliseconds since the epoch. */
  readonly startedAt: number
  readonly endedAt: number | undefined
  /** Somebody has been told of its end, or has asked for it: no further notice is due. */
  readonly reported: boolean
}

/** Where a watcher stands in the two streams of a job. Each watcher has its own. */
export interface JobCursor {
  readonly stdout: number
  readonly stderr: number
}

export interface JobRead {
  readonly job: JobSnapshot
  readonly stdout: string
  readonly stderr: string
  /** Pass it to the next read to continue. */
  readonly next: JobCursor
  /** What lay before the retained window is left out. */
  readonly lossy: boolean
  /** `maxBytes` has left something over, which the next read gives. */
  readonly more: boolean
  readonly spillPaths: readonly string[]
  readonly notes: readonly string[]
}

export interface JobAccess {
  /** Who asks. A job of somebody else is refused; whoever asks without one sees only jobs without an owner. */
  readonly owner?: JobOwner | undefined
}

export interface JobReadRequest extends JobAccess {
  /** Absent: from the beginning. */
  readonly from?: JobCursor | undefined
  /**
   * The most bytes of text of both streams together, shared where both have more; what is left over comes with the next
   * read. Never less than one character, so that a watcher always gets on. Absent: the job's limit.
   */
  readonly maxBytes?: number | undefined
}

export interface JobWaitRequest extends JobAccess {
  /** The wait ends with the live state when it is over; 0 asks for the state as it is. Absent: until the job ends. */
  readonly timeoutMs?: number | undefined
  /** Ends only the wait, which rejects with `wait aborted`. */
  readonly signal?: AbortSignal | undefined
}

export type JobKill = 'requested' | 'already-finished'

export interface JobKillRequest extends JobAccess {
  /** Handed to the job's `cancel`. */
  readonly reason?: string | undefined
}

/** Gets a job that has just ended. */
export type JobListener = (job: JobSnapshot) => void
