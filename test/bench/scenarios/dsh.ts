// What the public DSH packages gain: their executor on this library and on their own local runtime, in a small host and in one
// with 1 GiB in use.

import type { DshOrder } from '../dsh-host.js'
import type { DshWay } from '../measure/dsh.js'
import type { ThroughputSample } from '../measure/throughput.js'
import { peerVersion } from '../peers.js'
import { buildFolder } from '../places.js'
import { outputOf } from '../processes.js'
import type { Contestant, Scenario } from '../rounds.js'
import { lagColumns } from './columns.js'
import type { ThroughputPlan } from './throughput.js'

const local = '@deepseek-ai/dsh-subprocess-local'

function contestant(way: DshWay, title: string, { concurrency, heapBytes, seconds }: ThroughputPlan): Contestant {
  const order: DshOrder = { way, concurrency, heapBytes, seconds, lagSeconds: seconds / 2 }
  const host = [`${buildFolder}/dsh-host.mjs`, JSON.stringify(order)]
  return {
    title,
    waitsFor: 'child and its pipes',
    sample: async () => {
      const { perSecond, latency, lag } = JSON.parse(await outputOf(process.execPath, host)) as ThroughputSample
      return { value: perSecond, extra: { 'one p50 ms': latency.p50, 'one p99 ms': latency.p99, ...lagColumns(lag) } }
    }
  }
}

export function dsh(plan: ThroughputPlan): Scenario {
  const { concurrency, heapBytes, maxRounds } = plan
  const heap = heapBytes === 0 ? '' : ', host with 1 GiB in use (touched Buffers)'
  return {
    name: `dsh-${concurrency}${heapBytes === 0 ? '' : '-1gib'}`,
    title: `The DSH bash executor, bash -c : with both streams captured, ${concurrency} at a time${heap}`,
    unit: 'commands/s',
    better: 'more',
    contestants: [
      contestant('quiesce', 'DSH on quiesce/dsh', plan),
      ...(peerVersion(local) === null
        ? []
        : [contestant('local', `DSH on its local runtime ${peerVersion(local)}`, plan)])
    ],
    ...(maxRounds === undefined ? {} : { maxRounds })
  }
}
