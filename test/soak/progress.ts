// A line every ten seconds, so that a long run is never a silent one.

import { readdirSync } from 'node:fs'
import type { Tally } from './tally.js'

const intervalMs = 10_000

const mebibytes = (bytes: number): string => `${(bytes / 2 ** 20).toFixed(1)} MiB`

/** Returns what stops it. */
export function showProgress(tally: Tally): () => void {
  const startedAt = performance.now()
  let lastCount = 0
  const timer = setInterval(() => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0)
    const rate = ((tally.count - lastCount) / (intervalMs / 1000)).toFixed(1)
    lastCount = tally.count
    console.log(
      `${seconds} s: ${tally.count} commands, ${rate}/s, ${tally.failed} wrong, ` +
        `${readdirSync('/proc/self/fd').length} descriptors, ${readdirSync('/proc/self/task').length} threads, ` +
        `resident ${mebibytes(process.memoryUsage.rss())}, heap ${mebibytes(process.memoryUsage().heapUsed)}`
    )
  }, intervalMs)
  return () => clearInterval(timer)
}
