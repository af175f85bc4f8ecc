// Ordinary work succeeds in every confined mode and by each backend, as root and as an ordinary user, and nothing appears
// in the workspace but what the command made.

import { describe, expect, vi } from 'vitest'
import { type FeatureProbe, feature } from '../../setup/features.js'
import type { BackendName } from '../escape/backends.js'
import { all, confiningBackends, users } from '../escape/usable-backends.js'
import { type Job, jobsInEveryMode, jobsOfReadOnly } from './jobs.js'
import { perform, userAndPrograms } from './perform-jobs.js'
import { writingJobs, writingJobsOfRoot } from './writing-jobs.js'

vi.setConfig({ testTimeout: 240_000 })

/** Bubblewrap takes all capabilities from root too, as its profile says. */
const ofRoot = (backend: BackendName, uid: number): readonly Job[] =>
  uid === 0 && backend !== 'bwrap' ? writingJobsOfRoot : []

describe.each(confiningBackends)('%s', (backend, usable) => {
  for (const [user, uid] of Object.entries(users)) {
    const jobs = { writing: [...jobsInEveryMode, ...writingJobs, ...ofRoot(backend, uid)] }
    const needs = (wanted: readonly Job[]): FeatureProbe => all(() => userAndPrograms(uid, wanted), usable)
    feature(`${backend} with programs to write, as ${user}`, needs(jobs.writing))(
      `lets ${user} do ordinary work in workspace-write`,
      async () => {
        expect(await perform(jobs.writing, { backend, uid, mode: 'workspace-write' })).toEqual([])
      }
    )
    const reading = [...jobsInEveryMode, ...jobsOfReadOnly]
    feature(`${backend} with programs to read, as ${user}`, needs(reading))(
      `lets ${user} do what writes nothing in read-only`,
      async () => {
        expect(await perform(reading, { backend, uid, mode: 'read-only' })).toEqual([])
      }
    )
  }
})
