// A host with so many live background jobs, commands of the shell that stay: what one of them costs to poll, what each
// costs in memory, and how long the end of all takes.

import { setTimeout as wait } from 'node:timers/promises'
import { type Context, createContext } from 'quiesce'
import { prepareShellJob } from 'quiesce/tool'
import { collectGarbage } from './measure/garbage.js'
import { childCount, residentBytes } from './measure/host-state.js'
import { percentile } from './measure/percentile.js'

export interface JobsOrder {
  readonly count: number
  readonly pollCount: number
}

export interface JobsSample {
  /** Median of one read from a watcher's cursor on that finds nothing new. */
  readonly pollMicroseconds: number
  readonly bytesEach: number
  readonly disposeMs: number
  readonly startedPerSecond: number
}

const owner = 'bench'

function start({ jobs, shell }: Context): string {
  const prepared = prepareShellJob(shell, { command: 'echo up; exec sleep 1000', onExpiry: 'none' })
  return jobs.start({ kind: 'bash', label: 'sleeper', owner, run: () => prepared.start() }).id
}

/** Each has said so and has become the program that stays. */
async function startAll(context: Context, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => start(context))
  const isUp = (id: string): boolean => context.jobs.read(id, { owner }).stdout !== ''
  for (const id of ids) while (!isUp(id)) await wait(5)
  return ids
}

/** What is in use, without what is only not collected yet. */
function usedBytes(): number {
  collectGarbage()
  return residentBytes()
}

/** Many reads for each look at the clock, which would be the greater part of one. */
function pollMicroseconds({ jobs }: Context, ids: readonly string[], pollCount: number): number {
  const batch = 100
  const times: number[] = []
  const cursors = ids.map((id) => jobs.read(id, { owner }).next)
  for (let done = 0; done < pollCount; done += batch) {
    const index = (done / batch) % ids.length
    const from = cursors[index]
    const begin = performance.now()
    for (let read = 0; read < batch; read += 1) jobs.read(ids[index] ?? '', { owner, from })
    times.push(((performance.now() - begin) * 1000) / batch)
  }
  return percentile(times, 50)
}

async function measure({ count, pollCount }: JobsOrder): Promise<JobsSample> {
  const context = await createContext({ jobs: { maxActivePerOwner: count + 1 } })
  const { jobs } = context
  await startAll(context, 1)
  const bytesBefore = usedBytes()
  const begin = performance.now()
  const ids = await startAll(context, count)
  const startedPerSecond = (count * 1000) / (performance.now() - begin)
  const bytesEach = (usedBytes() - bytesBefore) / count
  if (childCount() < count) throw new Error(`${childCount()} of ${count} jobs are alive`)
  pollMicroseconds(context, ids, pollCount)
  const poll = pollMicroseconds(context, ids, pollCount)
  const ending = performance.now()
  await jobs.dispose()
  const disposeMs = performance.now() - ending
  await context.dispose()
  return { pollMicroseconds: poll, bytesEach, disposeMs, startedPerSecond }
}

console.log(JSON.stringify(await measure(JSON.parse(process.argv[2] ?? '') as JobsOrder)))
