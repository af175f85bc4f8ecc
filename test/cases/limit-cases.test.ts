// Cases about what a command may use at most.

import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { createContext } from '../../src/context/create-context.js'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { caseOnProviders } from './on-providers.js'
import { requestOf, runOnce } from './perform-case.js'

vi.setConfig({ testTimeout: 120_000 })

/** The most processes with `variable` at one time, looked at until `stop` aborts. */
async function mostProcesses(variable: string, stop: AbortSignal): Promise<number> {
  let most = 0
  while (!stop.aborted) {
    most = Math.max(most, survivorsOf(variable).length)
    await pause(20)
  }
  return most
}

caseOnProviders(
  'B111',
  async (entry, subprocess) => {
    const { pidsMax } = entry.opts as { readonly pidsMax: number }
    const context = await createContext({ subprocess, shell: { limits: { pids: pidsMax } } })
    const marker = randomUUID()
    const stop = new AbortController()
    const counting = mostProcesses(`QUIESCE_CASE=${marker}`, stop.signal)
    try {
      const { execution: _, ...seen } = await runOnce(context, requestOf(entry, marker))
      stop.abort()
      const maxProcesses = await counting
      if (seen.result === null) {
        expect(seen.error).toMatchObject({ code: 'LIMIT_UNAVAILABLE', option: 'limits.pids', value: pidsMax })
        expect(maxProcesses).toBe(0)
      } else {
        expect(maxProcesses).toBeGreaterThan(pidsMax / 2)
        expect(seen.result.usage?.pidsPeak).toBe(pidsMax)
      }
      await context.dispose()
      return { ...seen, survivors: survivorsOf(`QUIESCE_CASE=${marker}`), measured: { maxProcesses } }
    } finally {
      stop.abort()
      await context.dispose()
    }
  },
  { note: 'and where nothing can hold it to the limit it is not run at all' }
)
