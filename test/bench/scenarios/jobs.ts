// What one background job costs its host among few and among many: the cost must not grow with their number.

import type { JobsOrder, JobsSample } from '../jobs-host.js'
import { buildFolder } from '../places.js'
import { outputOf } from '../processes.js'
import type { Contestant, Scenario } from '../rounds.js'

async function sampleOf(order: JobsOrder): Promise<JobsSample> {
  const host = [`${buildFolder}/jobs-host.mjs`, JSON.stringify(order)]
  return JSON.parse(await outputOf(process.execPath, host)) as JobsSample
}

export function jobs(counts: readonly number[], pollCount: number): Scenario {
  const contestants = counts.map(
    (count): Contestant => ({
      title: `${count} jobs`,
      waitsFor: 'the whole range',
      sample: async () => {
        const sample = await sampleOf({ count, pollCount })
        const extra = {
          'KiB each': sample.bytesEach / 1024,
          'all ended, ms': sample.disposeMs,
          'started/s': sample.startedPerSecond
        }
        return { value: sample.pollMicroseconds, extra }
      }
    })
  )
  return {
    name: 'jobs',
    title: 'live background jobs (bash, sleep): one read of one of them that finds nothing new',
    unit: 'µs',
    better: 'less',
    contestants
  }
}
