// Collects the output of flooding commands and measures the rate, the event loop and how far the process grew.

import type { Contender } from './contender.js'
import { type Lag, withLag } from './event-loop.js'
import { forgetPeak, peakResidentBytes, residentBytes } from './host-state.js'
import { wakeUp } from './lanes.js'

export interface FloodOrder {
  /** Through each of the streams. */
  readonly bytes: number
  readonly streamCount: number
}

export interface FloodSample {
  readonly bytesPerSecond: number
  readonly lag: Lag
  /** Highest resident size during the flood over the size before it. */
  readonly growthBytes: number
}

/** Some hundred chunks. */
const warmUpBytes = 16 * 2 ** 20

export const floodArgv = (bytes: number): string[] => ['head', '-c', String(bytes), '/dev/zero']

export async function measureFlood({ bytes, streamCount }: FloodOrder, contender: Contender): Promise<FloodSample> {
  await wakeUp(contender)
  await contender.flood(floodArgv(warmUpBytes))
  const before = residentBytes()
  forgetPeak()
  const begin = performance.now()
  const { value: collected, lag } = await withLag(() =>
    Promise.all(Array.from({ length: streamCount }, () => contender.flood(floodArgv(bytes))))
  )
  const seconds = (performance.now() - begin) / 1000
  const wrong = collected.find((count) => count !== bytes)
  if (wrong !== undefined) throw new Error(`collected ${wrong} bytes of ${bytes}`)
  const growthBytes = Math.max(0, peakResidentBytes() - before)
  return { bytesPerSecond: (bytes * streamCount) / seconds, lag, growthBytes }
}
