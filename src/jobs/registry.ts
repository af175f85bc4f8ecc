// The registry of background jobs: work that goes on after the call that began it. It owns the end of each: an owner's jobs
// end with the owner, all end with the registry.

import type {
  JobAccess,
  JobAnnouncement,
  JobKill,
  JobKillRequest,
  JobListener,
  JobOwner,
  JobRead,
  JobReadRequest,
  JobSnapshot,
  JobSpec,
  JobWaitRequest
} from './types.js'

export abstract class JobRegistry {
  /**
   * Checks `spec`, in this order: the registry serves the owner, kind and label, `outputLimitBytes`, the owner is not being
   * disposed, fewer active jobs of the owner than allowed; then runs it.
   * @throws before anything runs: TypeError or RangeError (code EINVAL) that names the option and the value, or JobError.
   */
  abstract start(spec: JobSpec): JobSnapshot

  /** What `start` checks, without starting: throws what it would throw. */
  abstract preflight(spec: JobAnnouncement): void

  /** @throws JobError for an unknown job or one of another owner; so do all that take an id. */
  abstract get(id: string, access?: JobAccess): JobSnapshot

  /** The jobs that the owner may see, oldest first. */
  abstract list(access?: JobAccess): readonly JobSnapshot[]

  /** Output from a watcher's cursor on. Consumes nothing; counts as a report once the job has ended. */
  abstract read(id: string, request?: JobReadRequest): JobRead

  /**
   * Resolves with the state when the job has ended or the time is over. Stops nothing. Rejects with a JobError
   * (`wait aborted`) when its signal aborts.
   */
  abstract wait(id: string, request?: JobWaitRequest): Promise<JobSnapshot>

  /** Cancels first, then says `stopping`: if cancelling throws, everything is as it was. */
  abstract kill(id: string, request?: JobKillRequest): JobKill

  /**
   * Drops a job that has ended, with what it printed: nobody knows its id from then on. False, and nothing happens, while it
   * is active.
   */
  abstract forget(id: string, access?: JobAccess): boolean

  /**
   * Calls `listener` once for each job that ends from now on; `reported` is true if somebody waits for that job. A listener
   * that throws harms nobody. Returns what takes it away.
   */
  abstract onCompletion(listener: JobListener): () => void

  /** Cancels the owner's jobs, waits for all of them, and forgets them. Never rejects; the wait is bounded. */
  abstract disposeOwner(owner: JobOwner): Promise<void>

  /** The same for all; nothing starts from then on. Idempotent. */
  abstract dispose(): Promise<void>

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
