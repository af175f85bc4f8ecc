// What the registry tells others: ended jobs to those who listen, and what went wrong to whoever takes warnings. What they
// throw is theirs.

import type { RuntimeWarning } from '../subprocess/local/options.js'
import { textOf } from './hooks.js'
import type { JobListener, JobSnapshot } from './types.js'

export class Reports {
  readonly #onWarning: ((warning: RuntimeWarning) => void) | undefined
  readonly #listeners = new Set<JobListener>()

  constructor(onWarning: ((warning: RuntimeWarning) => void) | undefined) {
    this.#onWarning = onWarning
  }

  listen(listener: JobListener): () => void {
    // A function of its own for each call, so that the same listener given twice is two.
    const entry: JobListener = (job) => listener(job)
    this.#listeners.add(entry)
    return () => void this.#listeners.delete(entry)
  }

  ended(job: JobSnapshot): void {
    const failed = (error: unknown): void =>
      this.warn('QUIESCE_JOB_LISTENER', `a completion listener failed for job ${job.id}: ${textOf(error)}`)
    for (const listener of [...this.#listeners]) {
      // One that another has taken away meanwhile is not called any more.
      if (!this.#listeners.has(listener)) continue
      try {
        Promise.resolve(listener(job)).catch(failed)
      } catch (error) {
        failed(error)
      }
    }
  }

  warn(code: string, message: string): void {
    try {
      this.#onWarning?.({ code, message })
    } catch {
      // There is nobody left to tell.
    }
  }
}
