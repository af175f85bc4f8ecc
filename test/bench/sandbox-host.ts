// A host that runs commands in one way of confinement: so many a second, or one at a time in turn with unconfined ones.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { runMany } from './measure/lanes.js'
import { percentile } from './measure/percentile.js'
import type { SandboxWay } from './measure/sandbox-ways.js'
import { openSandbox, type Sandboxed } from './measure/sandboxes.js'
import { perSecond } from './measure/throughput.js'

export type SandboxOrder =
  | { readonly kind: 'latency'; readonly way: SandboxWay; readonly commandCount: number }
  | { readonly kind: 'throughput'; readonly way: SandboxWay; readonly concurrency: number; readonly seconds: number }

export interface SandboxSample {
  readonly value: number
  /** Of unconfined commands in the same process, where that was asked for. */
  readonly unconfined?: number
}

const warmUpCount = 40

/** Median milliseconds of each. */
async function inTurn(count: number, bodies: readonly Sandboxed[]): Promise<number[]> {
  const times = bodies.map((): number[] => [])
  for (let turn = 0; turn < count; turn += 1) {
    for (const [index, body] of bodies.entries()) {
      const called = performance.now()
      await body.command()
      times[index]?.push(performance.now() - called)
    }
  }
  return times.map((taken) => percentile(taken, 50))
}

async function measure(order: SandboxOrder, workspace: string): Promise<SandboxSample> {
  const confined = await openSandbox(order.way, workspace)
  await runMany(warmUpCount, 4, confined)
  try {
    if (order.kind === 'throughput') return { value: await perSecond(order.seconds, order.concurrency, confined) }
    const free = await openSandbox('none', workspace)
    await runMany(warmUpCount, 4, free)
    const [unconfined = Number.NaN, value = Number.NaN] = await inTurn(order.commandCount, [free, confined])
    await free.dispose()
    return { value, unconfined }
  } finally {
    await confined.dispose()
  }
}

const workspace = mkdtempSync(join(tmpdir(), 'quiesce-bench-'))
try {
  console.log(JSON.stringify(await measure(JSON.parse(process.argv[2] ?? '') as SandboxOrder, workspace)))
} finally {
  rmSync(workspace, { recursive: true })
}
// What keeps the event loop of a peer alive is no part of the measurement.
process.exit()
