// How long this process keeps its event loop from turning. A timer of 1 ms is the yardstick, so an idle loop shows about 1.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as turn } from 'node:timers/promises'

export interface Lag {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Runs `body` and gives its value with the delays of the event loop meanwhile, in milliseconds. */
export async function withLag<T>(body: () => Promise<T>): Promise<{ value: T; lag: Lag }> {
  const histogram = monitorEventLoopDelay({ resolution: 1 })
  histogram.enable()
  // A delay is counted from the turn before: without one, a block at the very start would be lost.
  await turn(5)
  const value = await body()
  // A delay is recorded when it is over: a loop that was blocked to the very end must turn once more.
  await turn(5)
  histogram.disable()
  const milliseconds = (nanoseconds: number): number => nanoseconds / 1e6
  return {
    value,
    lag: {
      p50: milliseconds(histogram.percentile(50)),
      p99: milliseconds(histogram.percentile(99)),
      max: milliseconds(histogram.max)
    }
  }
}
