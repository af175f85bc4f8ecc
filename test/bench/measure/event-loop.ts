// How long this process keeps its event loop from turning. A timer of 1 ms is the yardstick, so an idle loop shows about 1.
// A timer of its own rather than the histogram of node:perf_hooks, which is not the same thing in each of the runtimes.

import { setTimeout as turn } from 'node:timers/promises'
import { percentile } from './percentile.js'

export interface Lag {
  readonly p50: number
  readonly p99: number
  readonly max: number
}

/** Runs `body` and gives its value with the delays of the event loop meanwhile, in milliseconds. */
export async function withLag<T>(body: () => Promise<T>): Promise<{ value: T; lag: Lag }> {
  const delays: number[] = []
  let last = performance.now()
  let timer: ReturnType<typeof setTimeout>
  const tick = (): void => {
    const now = performance.now()
    delays.push(now - last)
    last = now
    timer = setTimeout(tick, 1)
  }
  timer = setTimeout(tick, 1)
  const value = await body()
  // A delay is recorded when it is over: a loop that was blocked to the very end must turn once more.
  await turn(5)
  clearTimeout(timer)
  return { value, lag: { p50: percentile(delays, 50), p99: percentile(delays, 99), max: Math.max(...delays) } }
}
