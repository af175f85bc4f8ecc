// Keeps a number of commands in flight for a while and counts those that finished; then does it once more and watches the
// event loop. Not both at once: the watch is a timer of 1 ms, which costs a loaded machine several percent.

import { ballast } from './ballast.js'
import { type Lag, withLag } from './event-loop.js'

export interface ThroughputOrder {
  readonly seconds: number
  readonly concurrency: number
  readonly heapBytes: number
}

export interface ThroughputSample {
  readonly perSecond: number
  readonly lag: Lag
  readonly residentBytes: number
}

const warmUpCommands = 100

async function inFlight(concurrency: number, next: () => boolean, command: () => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    while (next()) await command()
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

/** Commands per second over about that time; those in flight at its end are waited for and counted. */
async function rate({ seconds, concurrency }: ThroughputOrder, command: () => Promise<void>): Promise<number> {
  const begin = performance.now()
  const elapsed = (): number => (performance.now() - begin) / 1000
  let started = 0
  const next = (): boolean => {
    if (elapsed() >= seconds) return false
    started++
    return true
  }
  await inFlight(concurrency, next, command)
  return started / elapsed()
}

export async function measureThroughput(
  order: ThroughputOrder,
  command: () => Promise<void>
): Promise<ThroughputSample> {
  const held = ballast(order.heapBytes)
  let warmedUp = 0
  await inFlight(order.concurrency, () => warmedUp++ < warmUpCommands, command)
  const perSecond = await rate(order, command)
  const { lag } = await withLag(() => rate(order, command))
  const residentBytes = process.memoryUsage.rss()
  if (held.length * 64 * 1024 < order.heapBytes) throw new Error('the ballast was not held')
  return { perSecond, lag, residentBytes }
}
