// Ordinary work succeeds in every confined mode and by each backend, as root and as an ordinary user, and nothing appears
// in the workspace but what the command made.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { type FeatureProbe, feature } from '../../setup/features.js'
import { root } from '../../setup/source-imports.js'
import { type BackendName, bubblewrap } from '../escape/backends.js'
import { type Job, jobsInEveryMode, jobsOfReadOnly } from './jobs.js'
import { perform, userAndPrograms } from './perform-jobs.js'
import { writingJobs, writingJobsOfRoot } from './writing-jobs.js'

vi.setConfig({ testTimeout: 240_000 })

const built: FeatureProbe = () => existsSync(join(root, 'build/Release/quiesce-runner')) || 'not built'

const backends: readonly [BackendName, FeatureProbe][] = [
  ['native', built],
  ['bwrap', bubblewrap],
  ['landlock', built]
]
const users = { root: 0, 'an ordinary user': 4242 } as const

/** Bubblewrap takes all capabilities from root too, as its profile says. */
const ofRoot = (backend: BackendName, uid: number): readonly Job[] =>
  uid === 0 && backend !== 'bwrap' ? writingJobsOfRoot : []

describe.each(backends)('%s', (backend, usable) => {
  for (const [user, uid] of Object.entries(users)) {
    const jobs = { writing: [...jobsInEveryMode, ...writingJobs, ...ofRoot(backend, uid)] }
    const needs = (wanted: readonly Job[]): FeatureProbe => {
      return () => {
        const reason = userAndPrograms(uid, wanted)
        return reason === true ? usable() : reason
      }
    }
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
