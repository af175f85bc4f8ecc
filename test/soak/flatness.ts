// Compares what the process holds at the end with what it held after the warm-up: all things exactly, memory within a bound.

import { setTimeout as pause } from 'node:timers/promises'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { added } from '../setup/probes.js'
import { type HostState, hostState, type Memory, memory } from './host-state.js'

const residentSlackBytes = 5 * 1024 * 1024

export interface Snapshot {
  readonly state: HostState
  readonly memory: Memory
}

export async function snapshot(): Promise<Snapshot> {
  const used = await memory()
  return { state: hostState(), memory: used }
}

/** The things that are there and were not, or the other way round; of what only commands have, there is never any. */
function differences(before: HostState, after: HostState): string[] {
  const wanted: HostState = { ...before, children: [], cgroupFolders: [], spillFiles: [] }
  return (Object.keys(wanted) as (keyof HostState)[]).flatMap((kind) => {
    if (wanted[kind].length === after[kind].length) return []
    const [come, gone] = [added(wanted[kind], after[kind]), added(after[kind], wanted[kind])]
    return [
      `${kind}: ${wanted[kind].length} -> ${after[kind].length}; new: ${come.join(', ')}; gone: ${gone.join(', ')}`
    ]
  })
}

export function memoryGrowth(before: Memory, after: Memory): string[] {
  const grown = after.residentBytes - before.residentBytes
  return grown <= residentSlackBytes ? [] : [`resident memory grew by ${(grown / 2 ** 20).toFixed(1)} MiB`]
}

/** Looks again until `find` finds nothing, at most `withinMs`: what it found last. */
export async function settled(find: () => Promise<string[]>, withinMs: number): Promise<string[]> {
  const deadline = performance.now() + withinMs
  for (;;) {
    const found = await find()
    if (found.length === 0 || performance.now() > deadline) return found
    await pause(50)
  }
}

/** What the process holds more or less than `before`. */
export async function notFlat(before: Snapshot): Promise<string[]> {
  const after = await snapshot()
  return [...differences(before.state, after.state), ...memoryGrowth(before.memory, after.memory)]
}

/** Processes that carry the mark of the run. */
export async function survivors(mark: string): Promise<string[]> {
  const pids = survivorsOf(mark)
  return pids.length === 0 ? [] : [`processes: ${pids.join(', ')}`]
}
