// What many live commands cost their host: memory for each, time for all while nothing happens.

import type { BackgroundSample } from '../measure/background.js'
import { able, type Roster } from '../roster.js'
import type { Scenario } from '../rounds.js'

export function background(roster: Roster, count: number, restMs: number): Scenario {
  const order = { kind: 'background', count, argv: ['sleep', '1000'], restMs } as const
  const contestants = able(roster, 'start').map((contender) => ({
    title: contender.title,
    waitsFor: contender.waitsFor,
    sample: async () => {
      const sample = await contender.sample<BackgroundSample>(order)
      const extra = {
        'CPU ms/s': sample.cpuMsPerSecond,
        'started/s': sample.startedPerSecond,
        'ended/s': sample.endedPerSecond,
        'fds each': sample.descriptorsEach,
        threads: sample.threads
      }
      return { value: sample.bytesEach / 1024, extra }
    }
  }))
  return {
    name: 'background',
    title: `${count} live background commands (sleep), both streams captured: memory of the host for each`,
    unit: 'KiB each',
    better: 'less',
    contestants,
    maxRounds: 2
  }
}
