// npm run soak: mixed commands, 64 at a time, each compared with what its kind must show; afterwards the process must hold
// what it held before. Two contexts after one another: the first warms the process up, the second carries the load.

import { stat } from 'node:fs/promises'
import { type Context, createContext } from 'quiesce'
import { randomFrom } from '../subprocess/output/random.js'
import type { Scene } from './attempt.js'
import { endedKinds } from './ended-kinds.js'
import { memoryGrowth, notFlat, settled, snapshot, survivors } from './flatness.js'
import { memory } from './host-state.js'
import { leftoverKinds } from './leftover-kinds.js'
import { graceMs, leftoverSeconds, maxOutputBytes, maxSpillBytes } from './limits.js'
import { load } from './load.js'
import { parseOptions, type SoakOptions, usage } from './options.js'
import { plainKinds } from './plain-kinds.js'
import { showProgress } from './progress.js'
import { columns, momentsTable } from './table.js'
import { Tally } from './tally.js'

const allKinds = { ...plainKinds, ...endedKinds, ...leftoverKinds }

function optionsOrExit(): SoakOptions {
  try {
    return parseOptions(process.argv.slice(2), Object.keys(allKinds))
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    process.exit(2)
  }
}

const options = optionsOrExit()
/** Enough for every kind to have come up several times, 64 at a time. */
const warmUpCount = Math.min(400, Math.ceil(options.commandCount / 4))
const kinds = Object.fromEntries(Object.entries(allKinds).filter(([name]) => options.kinds.includes(name)))
const mark = `soak-${process.pid}-${options.seed}`
const tally = new Tally()

const open = (): Promise<Context> =>
  createContext({
    shell: { maxOutputBytes, maxSpillBytes, graceMs },
    subprocess: { provider: options.provider, ...(options.range && { ranges: [options.range] }) }
  })

const random = randomFrom(options.seed)
const sceneOf = (context: Context): Scene => ({ context, another: open, random, env: { QUIESCE_SOAK: mark } })
const startedAt = performance.now()
const until = startedAt + options.seconds * 1000
const loadOf = (context: Context, commandCount: number) =>
  load({ scene: sceneOf(context), kinds, tally, commandCount, until })

const first = await open()
console.log(`${first.subprocess.constructor.name}, ${first.subprocess.range.kind} range, seed ${options.seed}`)
// The threads that Node starts for the first asynchronous look at a file stay for good.
await Promise.all(Array.from({ length: 16 }, () => stat('/')))
const stopProgress = showProgress(tally)
await loadOf(first, warmUpCount)
await first.dispose()
const atRest = await snapshot()

const second = await open()
await loadOf(second, warmUpCount)
const inUse = await memory()
await loadOf(second, options.commandCount - tally.count)
stopProgress()
const loadSeconds = (performance.now() - startedAt) / 1000

// Resident memory falls only after a while: the allocators give back what is free when they come to it.
const left = await settled(async () => memoryGrowth(inUse, await memory()), 10_000)
const lastInUse = await memory()
await second.dispose()
// Where ranges are process groups, what has left them ends by itself.
const held = second.subprocess.range.kind === 'cgroup'
left.push(...(await settled(() => survivors(`QUIESCE_SOAK=${mark}`), held ? 0 : leftoverSeconds * 5000)))
left.push(...(await settled(() => notFlat(atRest), 10_000)))
const end = await snapshot()

console.log(`\n${columns(tally.table())}\n`)
console.log(
  momentsTable({
    'disposed, warmed up': atRest,
    'disposed, at the end': end,
    'in use, warmed up': { memory: inUse },
    'in use, at the end': { memory: lastInUse }
  })
)
const rate = (tally.count / loadSeconds).toFixed(1)
console.log(`\n${tally.count} commands in ${loadSeconds.toFixed(0)} s, ${rate}/s; ${tally.failed} wrong`)
for (const problem of tally.problems) console.log(`wrong: ${problem}`)
for (const thing of left) console.log(`left: ${thing}`)
const flat = left.length === 0 && tally.failed === 0
console.log(flat ? 'flat' : `not flat (repeat the choices with --seed ${options.seed})`)
process.exit(flat ? 0 : 1)
