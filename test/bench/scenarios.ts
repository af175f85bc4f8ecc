// What is measured: every scenario with its contestants. The first contestant is the one that the others are held against.

import { join } from 'node:path'
import type { FloodSample } from './measure/flood.js'
import { floodArgv } from './measure/flood.js'
import type { ThroughputOrder, ThroughputSample } from './measure/throughput.js'
import { nativeProgram } from './native-programs.js'
import { buildFolder } from './places.js'
import { outputOf, sampleOf } from './processes.js'
import type { Contestant, Sample } from './rounds.js'

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly contestants: readonly Contestant[]
}

const GiB = 2 ** 30
const contenders = ['quiesce-spawn', 'quiesce-run', 'child-process']

function throughputSample({ perSecond, lag, residentBytes, note }: ThroughputSample & { note?: string }): Sample {
  const extra = {
    'lag p50 ms': lag.p50,
    'lag p99 ms': lag.p99,
    'lag max ms': lag.max,
    'RSS MiB': residentBytes / 2 ** 20
  }
  return { value: perSecond, extra, ...(note === undefined ? {} : { note }) }
}

function throughput(name: string, title: string, order: ThroughputOrder): Scenario {
  const limitArgs = async (): Promise<string[]> => {
    const bash = await outputOf('bash', ['-c', 'type -P bash'])
    return [String(order.seconds), String(order.concurrency), '1', bash, '-c', ':']
  }
  const limit: Contestant = {
    name: 'C limit, own cgroup',
    sample: async () => ({ value: Number(await outputOf(nativeProgram('limit'), await limitArgs())) })
  }
  const others = contenders.map((contender) => ({
    name: contender,
    sample: async () => throughputSample(await sampleOf(contender, { kind: 'throughput', ...order }))
  }))
  const idle: Contestant = {
    name: 'idle host beside it',
    sample: async () => {
      const program = nativeProgram('limit')
      return throughputSample(await sampleOf('idle-host', { ...order, program, args: await limitArgs() }))
    }
  }
  return { name, title, unit: 'commands/s', contestants: [limit, idle, ...others] }
}

function floodSample({ bytesPerSecond, lag, growthBytes, note }: FloodSample & { note?: string }): Sample {
  const extra = {
    'lag p50 ms': lag.p50,
    'lag p99 ms': lag.p99,
    'lag max ms': lag.max,
    'growth MiB': growthBytes / 2 ** 20
  }
  return { value: bytesPerSecond / 1e6, extra, ...(note === undefined ? {} : { note }) }
}

function flood(bytes: number): Scenario {
  const reader: Contestant = {
    name: 'C reader',
    sample: async () => {
      const [total = 0, seconds = 0] = (await outputOf(nativeProgram('reader'), floodArgv(bytes)))
        .split(' ')
        .map(Number)
      if (total !== bytes) throw new Error(`the C reader read ${total} bytes of ${bytes}`)
      return { value: total / seconds / 1e6 }
    }
  }
  const others = contenders.map((contender) => ({
    name: contender,
    sample: async () => floodSample(await sampleOf(contender, { kind: 'flood', bytes }))
  }))
  const title = `flood: head -c ${bytes} /dev/zero through stdout, 64,000 bytes kept`
  return { name: 'flood', title, unit: 'MB/s', contestants: [reader, ...others] }
}

function loadTime(): Scenario {
  const timed = (module: string): Contestant['sample'] => {
    return async () => ({
      value: Number(await outputOf(process.execPath, [join(buildFolder, 'import-time.mjs'), module]))
    })
  }
  const contestants = [
    { name: 'an empty module', sample: timed(join(buildFolder, 'empty.mjs')) },
    { name: "'node:child_process'", sample: timed('node:child_process') },
    { name: "'quiesce'", sample: timed('quiesce') }
  ]
  return { name: 'import', title: 'time to import, in a fresh process (less is better)', unit: 'ms', contestants }
}

export function scenarios(quick: boolean): Scenario[] {
  const seconds = quick ? 0.5 : 2
  const rows = [1, 8].flatMap((concurrency) =>
    [0, GiB].map((heapBytes) => {
      const heap = heapBytes === 0 ? '' : ', host with 1 GiB in use (touched Buffers)'
      const name = `throughput-${concurrency}${heapBytes === 0 ? '' : '-1gib'}`
      const title = `bash -c : with both streams captured, ${concurrency} at a time${heap}`
      return throughput(name, title, { seconds, concurrency, heapBytes })
    })
  )
  return [...rows, flood(quick ? GiB / 4 : 2 * GiB), loadTime()]
}
