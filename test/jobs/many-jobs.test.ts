// A thousand commands as jobs at once: each can be read, and their disposal leaves nothing behind.

import { describe, expect, vi } from 'vitest'
import { createContext } from '../../src/context/create-context.js'
import type { JobSnapshot } from '../../src/jobs/types.js'
import { prepareShellJob } from '../../src/tool/shell-job.js'
import { providers, testOn } from '../fixtures/shell/providers.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'

// A loaded machine starts some fifty of them a second.
vi.setConfig({ testTimeout: 120_000 })

// The fallback needs some milliseconds for each.
const counts = { native: 1000, node: 100, auto: 0 }

describe.each(providers)('on %o', (subprocess) => {
  const test = testOn(subprocess)
  const count = counts[subprocess.provider ?? 'auto']

  test(`${count} jobs live at once, all are read while they live, and their disposal ends them all`, async () => {
    await using context = await createContext({
      subprocess,
      jobs: { maxActivePerOwner: count, disposeTimeoutMs: 60_000 }
    })
    const { jobs, shell } = context
    const marker = sleepMarker()
    const told: JobSnapshot[] = []
    jobs.onCompletion((job) => told.push(job))
    const ids = Array.from({ length: count }, (_, index) => {
      const prepared = prepareShellJob(shell, { command: `echo ${index}; exec sleep ${marker}`, onExpiry: 'none' })
      return jobs.start({ kind: 'bash', label: `sleeper ${index}`, owner: 'a', run: () => prepared.start() }).id
    })
    const access = { owner: 'a' }
    await until(() => ids.every((id, index) => jobs.read(id, access).stdout === `${index}\n`))
    await until(() => running(marker).length === count)
    expect(jobs.list(access).map(({ id, state }) => `${id} ${state}`)).toEqual(ids.map((id) => `${id} running`))
    await jobs.dispose()
    expect(running(marker)).toEqual([])
    const ends = new Set(told.map(({ state, detail, reported }) => `${state}, ${detail}, ${reported}`))
    expect([told.length, ends]).toEqual([count, new Set(['killed, signal: SIGTERM, true'])])
    expect(new Set(told.map(({ id }) => id))).toEqual(new Set(ids))
    expect(jobs.list(access)).toEqual([])
  })

  test('the disposal of a context ends its jobs first, and then what is left', async () => {
    const context = await createContext({ subprocess })
    const { jobs, shell } = context
    const marker = sleepMarker()
    const job = prepareShellJob(shell, { command: `sleep ${marker} & exec sleep ${marker}`, onExpiry: 'none' })
    const left = await shell.execute(shell.resolve({ command: `exec sleep ${marker}`, onExpiry: 'none' }))
    let leftAtTheEnd: string | undefined
    jobs.onCompletion(() => {
      leftAtTheEnd = left.status
    })
    jobs.start({ kind: 'bash', label: 'two sleepers', run: () => job.start() })
    await until(() => running(marker).length === 3)
    await context.dispose()
    expect([leftAtTheEnd, left.status, running(marker)]).toEqual(['running', 'killed', []])
    expect(() => jobs.start({ kind: 'bash', label: 'x', run: () => expect.fail() })).toThrow('has been disposed')
  })
})
