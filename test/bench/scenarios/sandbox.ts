// What a sandbox costs: one command at a time, in turn with unconfined ones in the same process, and eight at a time.

import { type SandboxWay, sandboxWays } from '../measure/sandbox-ways.js'
import { peerVersion } from '../peers.js'
import { buildFolder } from '../places.js'
import { outputOf } from '../processes.js'
import type { Contestant, Scenario } from '../rounds.js'
import type { SandboxOrder, SandboxSample } from '../sandbox-host.js'

const titles: Readonly<Record<SandboxWay, string>> = {
  none: 'quiesce, no sandbox',
  native: 'quiesce, native',
  runner: 'quiesce, native by its argv',
  bwrap: 'quiesce, bubblewrap',
  'sandbox-runtime': `sandbox-runtime ${peerVersion('@anthropic-ai/sandbox-runtime')}`
}

const present = (): readonly SandboxWay[] =>
  sandboxWays.filter((way) => way !== 'sandbox-runtime' || peerVersion('@anthropic-ai/sandbox-runtime') !== null)

async function sampleOf(order: SandboxOrder): Promise<SandboxSample> {
  const host = [`${buildFolder}/sandbox-host.mjs`, JSON.stringify(order)]
  return JSON.parse(await outputOf(process.execPath, host)) as SandboxSample
}

const contestants = (sample: (way: SandboxWay) => ReturnType<Contestant['sample']>): Contestant[] =>
  present().map((way) => ({ title: titles[way], waitsFor: 'child and its pipes', sample: () => sample(way) }))

export function sandboxLatency(commandCount: number): Scenario {
  return {
    name: 'sandbox-latency',
    title: `bash -c : allowed to write to one folder, ${commandCount} in turn with as many unconfined in one process`,
    unit: 'ms',
    better: 'less',
    contestants: contestants(async (way) => {
      const { value, unconfined = Number.NaN } = await sampleOf({ kind: 'latency', way, commandCount })
      return { value, extra: { 'added ms': value - unconfined } }
    })
  }
}

export function sandboxThroughput(concurrency: number, seconds: number): Scenario {
  return {
    name: `sandbox-throughput-${concurrency}`,
    title: `bash -c : allowed to write to one folder, ${concurrency} at a time`,
    unit: 'commands/s',
    better: 'more',
    contestants: contestants((way) => sampleOf({ kind: 'throughput', way, concurrency, seconds }))
  }
}
