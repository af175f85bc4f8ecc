import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import type { SubprocessHandle } from '../../src/subprocess/types.js'
import { compiledFixture } from '../fixtures/compiled.js'
import { running, sleepMarker, textOf, until } from '../subprocess/behaviour/observe.js'
import { specOf } from '../subprocess/specs.js'
import { expectWithin, median } from './figures.js'
import { withCgroup } from './native-features.js'
import { plainKillMs } from './plain-kill.js'

vi.setConfig({ testTimeout: 120_000 })

const treeSize = 500
/** Each takes seconds on a busy machine; STRESS_RUNS=20 is for a quiet one. */
const treeCount = Number(process.env.STRESS_RUNS ?? 5)
const graceMs = 50
const boundMs = 100
const hardBoundMs = 2000

let runtime: NativeSubprocessRuntime

beforeAll(() => {
  runtime = new NativeSubprocessRuntime({ ranges: ['cgroup'] })
})

afterAll(() => runtime.dispose())

interface Killed {
  readonly empty: boolean
  /** From the KILL, which comes one grace after the TERM, until the range was known to be empty. */
  readonly quiescentMs: number
  readonly stdout: string
  /** Pids that still have the marker among their arguments. */
  readonly left: readonly number[]
}

/** Ends what is deaf to TERM. Waits for the end of its output too, which comes when nobody holds it any more. */
async function killed(argv: string[], isUp: (handle: SubprocessHandle) => boolean): Promise<Killed> {
  const marker = sleepMarker()
  const handle = runtime.spawn(specOf([...argv, marker], { graceMs }))
  await until(() => isUp(handle))
  const killAt = performance.now() + graceMs
  handle.terminate()
  const empty = await handle.waitForExit()
  const quiescentMs = performance.now() - killAt
  await until(() => handle.collected.stdout?.ended === true)
  return { empty, quiescentMs, stdout: textOf(handle), left: running(marker) }
}

interface Series {
  readonly argv: (run: number) => string[]
  /** What the range has written when all of it is up. */
  readonly up: string
  readonly runCount: number
  /** What the machine needs for the same at that time, without a range. */
  readonly plainMs?: () => Promise<number>
}

async function killedOften({ argv, up, runCount, plainMs = async () => 0 }: Series): Promise<void> {
  const delays: number[] = []
  const plain: number[] = []
  for (let run = 0; run < runCount; run++) {
    plain.push(await plainMs())
    const { quiescentMs, ...rest } = await killed(argv(run), (handle) => textOf(handle) === up)
    expect(rest).toEqual({ empty: true, stdout: up, left: [] })
    expect(quiescentMs).toBeGreaterThanOrEqual(-1)
    delays.push(quiescentMs)
  }
  // Where the kernel alone takes longer than the bound, nobody can be faster; what is added to it still shows.
  expectWithin(delays, Math.max(boundMs, median(plain) * 1.5), hardBoundMs)
}

describe('TERM, grace and KILL leave nothing and prove it within 100 ms', () => {
  for (const pauseUs of [0, 200, 500]) {
    withCgroup(`of a process that hops every ${pauseUs} microseconds, 20 times`, () => {
      const hopper = compiledFixture('hopper')
      const argv = (run: number): string[] => [hopper, '20', String(pauseUs), run % 2 === 0 ? 'hop' : 'stay']
      return killedOften({ argv, up: 'hopping\n', runCount: 20 })
    })
  }

  withCgroup(`of a tree of ${treeSize} processes, ${treeCount} times`, () => {
    const argv = [compiledFixture('tree'), String(treeSize)]
    return killedOften({
      argv: () => argv,
      up: '.'.repeat(treeSize),
      runCount: treeCount,
      plainMs: () => plainKillMs([...argv, 'together'], treeSize)
    })
  })
})
