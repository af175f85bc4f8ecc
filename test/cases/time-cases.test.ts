// Cases about time and ends: preparation, background commands, what stays behind, a command that cannot be killed.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { cgroupFacts } from '../../src/cli/doctor/cgroup-facts.js'
import { createContext } from '../../src/context/create-context.js'
import type { PreparedCommand } from '../../src/shell/bash-command.js'
import { LocalBashExecutor } from '../../src/shell/local-bash.js'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { canFreeze, Freezer } from '../fixtures/shell/v1-freezer.js'
import { until } from '../subprocess/behaviour/observe.js'
import { caseOnProviders } from './on-providers.js'
import { type Observation, outcomeOf, performCase, requestOf, runOnce } from './perform-case.js'

vi.setConfig({ testTimeout: 120_000 })

const shown = ({ execution: _, ...facts }: Awaited<ReturnType<typeof runOnce>>): Omit<Observation, 'survivors'> => facts

/** Prepares for as long as the case says. */
class SlowToPrepare extends LocalBashExecutor {
  prepareMs = 0

  protected override async prepare(...args: Parameters<LocalBashExecutor['prepare']>): Promise<PreparedCommand> {
    await new Promise((resolve) => setTimeout(resolve, this.prepareMs))
    return super.prepare(...args)
  }
}

caseOnProviders(
  'B101',
  async (entry, subprocess) => {
    await using context = await createContext({ subprocess })
    const shell = new SlowToPrepare({ subprocess: context.subprocess })
    shell.prepareMs = entry.opts?.testHookPrepDelayMs ?? 0
    const request = requestOf(entry, randomUUID())
    // With the same time for the command itself.
    const enough = await shell.run({ ...request, timeoutMs: shell.prepareMs + (entry.timeoutMs ?? 0) + 2000 })
    expect({ text: enough.stdout.text, timedOut: enough.timedOut }).toEqual({ text: 'ok\n', timedOut: false })
    const runMs = enough.usage?.wallMs ?? 0
    expect(runMs).toBeGreaterThanOrEqual(195)
    const from = performance.now()
    const seen = await runOnce({ ...context, shell }, request)
    expect(seen.result?.usage).toBeNull()
    expect(performance.now() - from).toBeLessThan(shell.prepareMs)
    return { ...shown(seen), survivors: [] }
  },
  {
    note: 'except that the deadline counts preparation: nothing was started; usage.wallMs is the time of the command alone',
    instead: { outcome: 'timed-out', exitCode: null, stdoutEquals: '', resultFields: undefined }
  }
)

caseOnProviders('B75', async (entry, subprocess) => {
  await using context = await createContext({ subprocess })
  const { shell } = context
  const execution = await shell.execute(shell.resolve({ ...requestOf(entry, randomUUID()), onExpiry: 'none' }))
  expect(execution.status).toBe('running')
  let exitEventDelivered = false
  void execution.done.then(() => {
    exitEventDelivered = true
  })
  await until(() => exitEventDelivered)
  expect(execution.status).toBe('killed')
  const result = await execution.result()
  const { wallMs } = result.usage ?? { wallMs: 0 }
  return {
    outcome: outcomeOf(result),
    tookMs: wallMs,
    result,
    error: null,
    survivors: [],
    measured: { exitEventDelivered }
  }
})

caseOnProviders('B53', async (entry, subprocess) => {
  const { repeat = 0 } = entry.opts ?? {}
  await using context = await createContext({ subprocess })
  const nodes = Array.from({ length: repeat }, () => {
    const child = spawn('bash', ['-c', 'exit 3'], { stdio: 'ignore' })
    return new Promise<number | null>((resolve) => child.once('exit', resolve))
  })
  const ours = Array.from({ length: repeat }, () => runOnce(context, requestOf(entry, randomUUID())))
  const seen = await Promise.all(ours)
  expect(seen.map(({ result }) => result?.exitCode)).toEqual(Array.from({ length: repeat }, () => 7))
  const codes = await Promise.all(nodes)
  const alsoNodeChildrenExitEventsSeen = codes.filter((code) => code === 3).length
  return { ...shown(seen[0] as (typeof seen)[0]), survivors: [], measured: { alsoNodeChildrenExitEventsSeen } }
})

const median = (values: number[]): number => values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0

const ownCgroups = (): string[] => {
  const { folder } = cgroupFacts()
  return folder === null ? [] : readdirSync(folder).filter((name) => name.startsWith(`quiesce-${process.pid}-`))
}

/** Where systemd keeps the units that were made at run time. */
const units = (): string[] => {
  const folder = '/run/systemd/transient'
  return existsSync(folder) ? readdirSync(folder).filter((name) => name.includes('quiesce')) : []
}

caseOnProviders('B104', async (entry, subprocess) => {
  const [before, unitsBefore] = [ownCgroups(), units()]
  const took: { ours: number[]; plain: number[] } = { ours: [], plain: [] }
  let last: Observation | undefined
  {
    await using context = await createContext({ subprocess })
    for (let round = 0; round < (entry.expect.repeat as number); round++) {
      const seen = await runOnce(context, requestOf(entry, randomUUID()))
      expect(seen.result?.exitCode).toBe(0)
      took.ours.push(seen.tookMs)
      last = { ...shown(seen), survivors: [] }
      if (round % 5 > 0) continue
      const from = performance.now()
      await new Promise((resolve) => spawn('bash', ['-c', entry.command]).once('close', resolve))
      took.plain.push(performance.now() - from)
    }
  }
  const measured = {
    leftoverCgroups: ownCgroups().filter((name) => !before.includes(name)).length,
    leftoverUnits: units().filter((name) => !unitsBefore.includes(name)).length,
    medianOverheadMsMax: median(took.ours) - median(took.plain)
  }
  return { ...(last as Observation), measured }
})

caseOnProviders(
  'B110',
  async (entry, subprocess) => {
    const marker = randomUUID()
    await using context = await createContext({ subprocess, shell: { graceMs: entry.opts?.graceMs } })
    await using freezer = new Freezer()
    const running = runOnce(context, requestOf(entry, marker))
    let pids: number[] = []
    await until(() => {
      pids = survivorsOf(`QUIESCE_CASE=${marker}`)
      return pids.length > 0
    })
    freezer.freeze(pids)
    const { execution, ...seen } = await running
    expect(survivorsOf(`QUIESCE_CASE=${marker}`)).toEqual(pids)
    freezer.thaw()
    expect(await execution?.waitForExit()).toBe(true)
    return { ...seen, survivors: [] }
  },
  { needs: ['the cgroup v1 freezer', canFreeze] }
)

// A deadline beyond what a timer can hold was capped, and no timer fired at once.
caseOnProviders('B100', async (entry, subprocess) => {
  const [seen] = await performCase(entry, subprocess)
  expect(seen?.result?.timeoutMs).toBe(600_000)
  return seen as Observation
})
