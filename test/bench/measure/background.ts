// Many live commands at once: what each of them costs the host in memory, and what all of them cost it in time while
// nothing happens.

import { setTimeout as wait } from 'node:timers/promises'
import type { Contender } from './contender.js'
import { childCount, descriptorCount, residentBytes, threadCount } from './host-state.js'
import { wakeUp } from './lanes.js'

export interface BackgroundOrder {
  readonly count: number
  readonly argv: readonly string[]
  /** How long the commands are left alone. */
  readonly restMs: number
}

export interface LiveCommand {
  /** Settles when the program runs. */
  readonly started: Promise<void>
  /** Ends it with SIGTERM and settles when it is gone. */
  end(): Promise<void>
}

export interface BackgroundSample {
  readonly bytesEach: number
  readonly cpuMsPerSecond: number
  readonly startedPerSecond: number
  readonly endedPerSecond: number
  readonly descriptorsEach: number
  readonly threads: number
}

async function cpuMsPerSecond(restMs: number): Promise<number> {
  const begin = performance.now()
  const before = process.cpuUsage()
  await wait(restMs)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / (performance.now() - begin)
}

async function timed(count: number, body: () => Promise<unknown>): Promise<number> {
  const begin = performance.now()
  await body()
  return (count * 1000) / (performance.now() - begin)
}

export async function measureBackground(order: BackgroundOrder, contender: Contender): Promise<BackgroundSample> {
  if (!contender.start) throw new Error('starts nothing in the background')
  const start = contender.start.bind(contender)
  const { count, argv, restMs } = order
  await wakeUp(contender)
  const bytesBefore = residentBytes()
  const descriptorsBefore = descriptorCount()
  const live: LiveCommand[] = []
  const startedPerSecond = await timed(count, () => {
    for (let index = 0; index < count; index++) live.push(start(argv))
    return Promise.all(live.map(({ started }) => started))
  })
  if (childCount() < count) throw new Error(`${childCount()} of ${count} commands are alive`)
  const cpu = await cpuMsPerSecond(restMs)
  const bytesEach = (residentBytes() - bytesBefore) / count
  const descriptorsEach = (descriptorCount() - descriptorsBefore) / count
  const threads = threadCount()
  const endedPerSecond = await timed(count, () => Promise.all(live.map((command) => command.end())))
  return { bytesEach, cpuMsPerSecond: cpu, startedPerSecond, endedPerSecond, descriptorsEach, threads }
}
