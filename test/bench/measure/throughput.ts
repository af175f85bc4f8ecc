// Keeps a number of commands in flight for a while and counts those that finished; then does it once more and watches the
// event loop. Not both at once: the watch is a timer of 1 ms, which costs a loaded machine several percent.

import { ballast } from './ballast.js'
import type { Contender } from './contender.js'
import { type Lag, withLag } from './event-loop.js'
import { residentBytes } from './host-state.js'
import { inLanes, warmUp } from './lanes.js'
import { percentile } from './percentile.js'

export interface ThroughputOrder {
  readonly seconds: number
  readonly lagSeconds: number
  readonly concurrency: number
  readonly heapBytes: number
}

export interface ThroughputSample {
  readonly perSecond: number
  /** From the call to its end, of each command, in milliseconds. */
  readonly latency: { readonly p50: number; readonly p99: number }
  readonly lag: Lag
  readonly residentBytes: number
}

/** Whatever runs one command. */
type Runner = Pick<Contender, 'command'>

interface Pass {
  readonly perSecond: number
  readonly latencies: readonly number[]
}

/** Commands over about that time; those in flight at its end are waited for and counted. */
async function pass(seconds: number, concurrency: number, contender: Runner): Promise<Pass> {
  const begin = performance.now()
  const elapsed = (): number => (performance.now() - begin) / 1000
  const latencies: number[] = []
  await inLanes(
    concurrency,
    () => elapsed() < seconds,
    async () => {
      const called = performance.now()
      await contender.command()
      latencies.push(performance.now() - called)
    }
  )
  return { perSecond: latencies.length / elapsed(), latencies }
}

export async function perSecond(seconds: number, concurrency: number, runner: Runner): Promise<number> {
  return (await pass(seconds, concurrency, runner)).perSecond
}

export async function measureThroughput(order: ThroughputOrder, contender: Runner): Promise<ThroughputSample> {
  // Before the ballast, with which the warm-up of a contender that forks would take minutes.
  await warmUp(contender)
  const held = ballast(order.heapBytes)
  const { perSecond, latencies } = await pass(order.seconds, order.concurrency, contender)
  const { lag } = await withLag(() => pass(order.lagSeconds, order.concurrency, contender))
  const resident = residentBytes()
  if (held.length * 64 * 1024 < order.heapBytes) throw new Error('the ballast was not held')
  const latency = { p50: percentile(latencies, 50), p99: percentile(latencies, 99) }
  return { perSecond, latency, lag, residentBytes: resident }
}
