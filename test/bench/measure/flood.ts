// Collects the output of one flooding command and measures the rate, the event loop and how far the process grew.

import { type Lag, withLag } from './event-loop.js'

export interface FloodOrder {
  readonly bytes: number
}

export interface FloodSample {
  readonly bytesPerSecond: number
  readonly lag: Lag
  /** Highest resident size during the flood over the size before it. */
  readonly growthBytes: number
}

export const floodArgv = (bytes: number): string[] => ['head', '-c', String(bytes), '/dev/zero']

/** `collect` runs the command and gives the number of bytes that it collected. */
export async function measureFlood(order: FloodOrder, collect: () => Promise<number>): Promise<FloodSample> {
  const before = process.memoryUsage.rss()
  const begin = performance.now()
  const { value: collected, lag } = await withLag(collect)
  const seconds = (performance.now() - begin) / 1000
  if (collected !== order.bytes) throw new Error(`collected ${collected} bytes of ${order.bytes}`)
  const peak = process.resourceUsage().maxRSS * 1024
  return { bytesPerSecond: collected / seconds, lag, growthBytes: Math.max(0, peak - before) }
}
