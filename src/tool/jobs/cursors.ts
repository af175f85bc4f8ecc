// How far each watcher has read each job, shared by all tools over one registry: what a call of bash has shown of a command
// is not shown again by job_output. Nobody's reading takes anything from anybody else.

import type { JobRegistry } from '../../jobs/registry.js'
import type { JobCursor, JobOwner } from '../../jobs/types.js'

/**
 * Far more than are read at a time. The ones not used for longest go: jobs are forgotten without a word to us, and whoever
 * does come back to one begins at its beginning.
 */
const maxCursors = 4096

export class Cursors {
  // In the order of their last use.
  readonly #cursors = new Map<string, JobCursor>()

  get(id: string, watcher: JobOwner | undefined): JobCursor | undefined {
    return this.#cursors.get(keyOf(id, watcher))
  }

  set(id: string, watcher: JobOwner | undefined, cursor: JobCursor): void {
    const key = keyOf(id, watcher)
    this.#cursors.delete(key)
    this.#cursors.set(key, cursor)
    if (this.#cursors.size <= maxCursors) return
    for (const oldest of this.#cursors.keys()) {
      this.#cursors.delete(oldest)
      return
    }
  }
}

const keyOf = (id: string, watcher: JobOwner | undefined): string => JSON.stringify([id, watcher])

const byRegistry = new WeakMap<JobRegistry, Cursors>()

export function cursorsOf(jobs: JobRegistry): Cursors {
  let cursors = byRegistry.get(jobs)
  if (cursors === undefined) {
    cursors = new Cursors()
    byRegistry.set(jobs, cursors)
  }
  return cursors
}
