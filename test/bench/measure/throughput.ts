// Keeps a number of commands in flight for a while and counts those that finished, watching the event loop.

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

const warmUpCommands = 20

async function inFlight(concurrency: number, next: () => boolean, command: () => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    while (next()) await command()
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

export async function measureThroughput(
  order: ThroughputOrder,
  command: () => Promise<void>
): Promise<ThroughputSample> {
  const held = ballast(order.heapBytes)
  let warmedUp = 0
  await inFlight(order.concurrency, () => warmedUp++ < warmUpCommands, command)

  const begin = performance.now()
  const elapsed = (): number => (performance.now() - begin) / 1000
  let started = 0
  const next = (): boolean => {
    if (elapsed() >= order.seconds) return false
    started++
    return true
  }
  const { value: perSecond, lag } = await withLag(async () => {
    await inFlight(order.concurrency, next, command)
    return started / elapsed()
  })
  const residentBytes = process.memoryUsage.rss()
  if (held.length * 64 * 1024 < order.heapBytes) throw new Error('the ballast was not held')
  return { perSecond, lag, residentBytes }
}
