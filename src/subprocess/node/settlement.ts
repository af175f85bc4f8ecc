// When a command that has exited is told as settled: its collected streams have ended; or a leftover still holds one and
// it has been silent for a while; at the latest one grace after the exit, or when the deadline passes that the command itself
// has kept. What was spilled is on disk by then.

import type { Collector } from './collector.js'

/** Long enough for what the command itself wrote last, short enough that nobody waits for a leftover. */
const silenceMs = 100

/** A turn of the event loop counts as so long at most: what a blocked loop could not read yet has not been waited for. */
const turnMs = 20

/** Resolves when the result may be told. `exitedAt` and `latestAt` are by `performance.now()`. */
export async function outputSettled(
  collectors: readonly Collector[],
  exitedAt: number,
  latestAt: number
): Promise<void> {
  const stops: (() => void)[] = []
  const bound = patience(latestAt, stops)
  try {
    await Promise.race([bound, Promise.all(collectors.map((collector) => quiet(collector, exitedAt, stops)))])
    await Promise.race([bound, Promise.all(collectors.map((collector) => collector.flushed()))])
  } finally {
    for (const stop of stops) stop()
  }
}

/** Resolves at `at`, later by as much as the event loop is blocked meanwhile. */
function patience(at: number, stops: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    let lastTurnAt = performance.now()
    let leftMs = at - lastTurnAt
    let timer: NodeJS.Timeout | undefined
    const wait = (): void => {
      timer = setTimeout(turn, Math.min(turnMs, Math.max(0, leftMs)))
    }
    const turn = (): void => {
      const now = performance.now()
      leftMs -= Math.min(now - lastTurnAt, turnMs + 5)
      lastTurnAt = now
      if (leftMs <= 0) resolve()
      else wait()
    }
    wait()
    stops.push(() => clearTimeout(timer))
  })
}

function quiet(collector: Collector, exitedAt: number, stops: (() => void)[]): Promise<void> {
  return new Promise((resolve) => {
    let timer: NodeJS.Timeout | undefined
    let immediate: NodeJS.Immediate | undefined
    const look = (): void => {
      const silentForMs = performance.now() - Math.max(exitedAt, collector.lastDataAt)
      if (collector.ended || (silentForMs >= silenceMs && !collector.paused)) resolve()
      else timer = setTimeout(lookAfterInput, Math.max(1, silenceMs - silentForMs))
    }
    // Timers run before input in a turn of the loop: after a blocked turn, what has come meanwhile is read first.
    const lookAfterInput = (): void => {
      immediate = setImmediate(look)
    }
    stops.push(() => {
      clearTimeout(timer)
      clearImmediate(immediate)
    })
    collector.onEnd(resolve)
    if (!collector.ended) look()
  })
}
