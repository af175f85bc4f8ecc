// All that is measured, in the order of the tables. `--quick` is for trying the bench out: less of everything.

import type { Roster } from '../roster.js'
import type { Scenario } from '../rounds.js'
import { background } from './background.js'
import { dsh } from './dsh.js'
import { flood } from './flood.js'
import { growth } from './growth.js'
import { importTime } from './import-time.js'
import { jobs } from './jobs.js'
import { kill } from './kill.js'
import { sandboxLatency, sandboxThroughput } from './sandbox.js'
import { spill } from './spill.js'
import { throughput } from './throughput.js'

const MiB = 2 ** 20
const GiB = 2 ** 30

export function scenarios(roster: Roster, quick: boolean): Scenario[] {
  const seconds = quick ? 0.3 : 0.8
  return [
    throughput(roster, { concurrency: 1, heapBytes: 0, seconds: seconds * 1.5 }),
    throughput(roster, { concurrency: 8, heapBytes: 0, seconds }),
    throughput(roster, { concurrency: 64, heapBytes: 0, seconds }),
    // Two rounds of those in which a contender that forks takes ten seconds for a sample, or tells no more than at 8.
    throughput(roster, { concurrency: 1, heapBytes: GiB, seconds, maxRounds: 2 }),
    throughput(roster, { concurrency: 8, heapBytes: GiB, seconds }),
    throughput(roster, { concurrency: 64, heapBytes: GiB, seconds, maxRounds: 2 }),
    flood(roster, quick ? 64 * MiB : 384 * MiB, 1),
    flood(roster, quick ? 8 * MiB : 64 * MiB, 8),
    spill(roster, quick ? 32 * MiB : 256 * MiB),
    background(roster, quick ? 100 : 1000, quick ? 500 : 1000),
    jobs([10, quick ? 100 : 1000], quick ? 2000 : 20_000),
    ...[10, 200, 500].map((processCount) => kill(roster, processCount, 250)),
    sandboxLatency(quick ? 30 : 150),
    sandboxThroughput(8, seconds),
    dsh({ concurrency: 8, heapBytes: 0, seconds }),
    dsh({ concurrency: 8, heapBytes: GiB, seconds }),
    importTime(roster),
    growth(roster, quick ? 1000 : 20_000)
  ]
}
