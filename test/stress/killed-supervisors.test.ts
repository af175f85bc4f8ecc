import { readdirSync, readFileSync } from 'node:fs'
import { expect, vi } from 'vitest'
import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import type { SubprocessHandle } from '../../src/subprocess/types.js'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { until } from '../subprocess/behaviour/observe.js'
import { type Random, randomFrom } from '../subprocess/output/random.js'
import { bash } from '../subprocess/specs.js'
import { withSupervisor } from './native-features.js'

vi.setConfig({ testTimeout: 120_000 })

const killCount = 100
const commandsPerRound = 24
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 1_000_000))
const variable = `QUIESCE_STRESS=supervisor-${process.pid}`
/** What ends by itself within the window, what does not, and what leaves a child in its group. */
const scripts = [
  'exit 7',
  'sleep 0.01; exit 7',
  'exec sleep 60',
  'sleep 60 & sleep 60 | cat; wait',
  'sleep 60 & exit 7'
]
const windowMs = 40

/** The supervisors that this process has now: children of its threads, by their name. */
function supervisors(): number[] {
  const children = readdirSync('/proc/self/task').flatMap((thread) => {
    return read(`/proc/self/task/${thread}/children`).split(' ').filter(Boolean)
  })
  return children.filter((pid) => read(`/proc/${pid}/comm`).startsWith('quiesce-superv')).map(Number)
}

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    // The thread or the process has ended since it was listed.
    return ''
  }
}

/** False if it has ended by itself meanwhile. */
function kill(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

type Told = 'result' | 'refused' | 'lost'

/** What became of one: all of it is told, whatever is killed when. */
async function ending(handle: SubprocessHandle): Promise<Told> {
  const outcome = await handle.done.catch((error: NodeJS.ErrnoException & { stage?: string }) => {
    expect(error.stage).toBe('range')
    return null
  })
  if (outcome === null) return 'refused'
  handle.terminate()
  try {
    expect(await handle.waitForExit()).toBe(true)
    expect([7, null]).toContain(outcome.exitCode)
    return 'result'
  } catch (error) {
    expect((error as Error).message).toContain('its supervisor was killed')
    return 'lost'
  }
}

async function round(random: Random, told: Told[]): Promise<number> {
  const runtime = new NativeSubprocessRuntime({ ranges: ['supervisor'] })
  const env = { ...process.env, QUIESCE_STRESS: variable.split('=')[1] }
  const endings = Array.from({ length: commandsPerRound }, () =>
    ending(runtime.spawn(bash(scripts[random(scripts.length)] ?? '', { env, graceMs: 60 })))
  )
  let killed = 0
  const end = performance.now() + windowMs
  for (let next = 0; performance.now() < end; next = performance.now() + random(2)) {
    while (performance.now() < next) await new Promise((resolve) => setImmediate(resolve))
    const present = supervisors()
    const chosen = present[random(Math.max(present.length, 1))]
    if (chosen === undefined) continue
    killed += Number(kill(chosen))
  }
  const disposal = runtime.dispose()
  told.push(...(await Promise.all(endings)))
  await disposal.catch((error: Error) => {
    const errors: Error[] = error instanceof AggregateError ? error.errors : [error]
    for (const { message } of errors) expect(message).toContain('its supervisor was killed')
  })
  return killed
}

withSupervisor(`${killCount} supervisors killed at random moments: no hang, no lost result, no orphan`, async () => {
  const random = randomFrom(seed)
  const told: Told[] = []
  let rounds = 0
  try {
    for (let killed = 0; killed < killCount; rounds++) killed += await round(random, told)
    await until(() => survivorsOf(variable).length === 0)
  } catch (error) {
    throw new Error(`SEED=${seed}`, { cause: error })
  }
  expect(told).toHaveLength(rounds * commandsPerRound)
  expect(told.filter((one) => one === 'lost').length).toBeGreaterThan(0)
})
