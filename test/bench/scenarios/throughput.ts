// Commands a second, so many at a time, in a small host and in one with 1 GiB in use; how long one of them takes, and how
// long the event loop stood still meanwhile.

import type { IdleOrder, IdleSample } from '../contenders/idle-host.js'
import type { ThroughputSample } from '../measure/throughput.js'
import { nativeProgram } from '../native-programs.js'
import { buildFolder } from '../places.js'
import { outputOf } from '../processes.js'
import { able, type Limit, type Roster } from '../roster.js'
import type { Contestant, Scenario } from '../rounds.js'
import { lagColumns } from './columns.js'

export interface ThroughputPlan {
  readonly concurrency: number
  readonly heapBytes: number
  readonly seconds: number
  readonly maxRounds?: number
}

type Answer = readonly [perSecond: number, p50: number, p99: number]

const answerOf = (output: string): Answer => output.split(' ').map(Number) as unknown as Answer
const latencyColumns = (p50: number, p99: number): Record<string, number> => ({ 'one p50 ms': p50, 'one p99 ms': p99 })

function limitContestants({ waitsFor, cgroup, bash }: Limit, { concurrency, heapBytes, seconds }: ThroughputPlan) {
  const args = [String(seconds), String(concurrency), cgroup, bash, '-c', ':']
  const limit: Contestant = {
    title: 'plain C',
    waitsFor,
    sample: async () => {
      const [value, p50, p99] = answerOf(await outputOf(nativeProgram('limit'), args))
      return { value, extra: latencyColumns(p50, p99) }
    }
  }
  const idle: Contestant = {
    title: 'idle Node host beside it',
    waitsFor: 'nothing itself',
    sample: async () => {
      const order: IdleOrder = { program: nativeProgram('limit'), args, heapBytes }
      const host = [`${buildFolder}/contenders/idle-host.mjs`, JSON.stringify(order)]
      const { output, lag, residentBytes } = JSON.parse(await outputOf(process.execPath, host)) as IdleSample
      return { value: answerOf(output)[0], extra: { ...lagColumns(lag), 'RSS MiB': residentBytes / 2 ** 20 } }
    }
  }
  return concurrency === 8 ? [limit, idle] : [limit]
}

export function throughput(roster: Roster, plan: ThroughputPlan): Scenario {
  const { concurrency, heapBytes, seconds, maxRounds } = plan
  const order = { concurrency, heapBytes, seconds, lagSeconds: seconds / 2 }
  const others = able(roster, 'command').map((contender) => ({
    title: contender.title,
    waitsFor: contender.waitsFor,
    sample: async () => {
      const sample = await contender.sample<ThroughputSample>({ kind: 'throughput', ...order })
      const { perSecond, latency, lag, residentBytes } = sample
      const extra = { ...latencyColumns(latency.p50, latency.p99), ...lagColumns(lag) }
      return { value: perSecond, extra: { ...extra, 'RSS MiB': residentBytes / 2 ** 20 } }
    }
  }))
  const heap = heapBytes === 0 ? '' : ', host with 1 GiB in use (touched Buffers)'
  return {
    name: `throughput-${concurrency}${heapBytes === 0 ? '' : '-1gib'}`,
    title: `bash -c : with both streams captured, ${concurrency} at a time${heap}`,
    unit: 'commands/s',
    better: 'more',
    contestants: [...(roster.limit ? limitContestants(roster.limit, plan) : []), ...others],
    ...(maxRounds === undefined ? {} : { maxRounds })
  }
}
