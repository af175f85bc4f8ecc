// What this process holds, for comparing two moments at which it should hold the same. Bundled by itself into hosts of
// tests too, so it reaches nothing of the library that keeps state.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { cgroupFolders, childProcesses, descriptors, type Probe, temporaryEntries, threads } from '../setup/probes.js'

export type HostState = Readonly<
  Record<'descriptors' | 'threads' | 'children' | 'cgroupFolders' | 'spillFiles', string[]>
>

const probes: Readonly<Record<keyof HostState, Probe>> = {
  descriptors,
  threads,
  children: childProcesses,
  cgroupFolders,
  // The folder of spill files goes when the last of them has gone, so none is left if it is not.
  spillFiles: temporaryEntries
}

export function hostState(): HostState {
  return Object.fromEntries(Object.entries(probes).map(([name, probe]) => [name, probe()])) as unknown as HostState
}

export interface Memory {
  readonly heapBytes: number
  readonly residentBytes: number
}

let collect: (() => void) | undefined

/** Turns of the event loop between collections: what has been let go of in one is often released in the next. */
export async function collectGarbage(): Promise<void> {
  if (collect === undefined) {
    setFlagsFromString('--expose-gc')
    collect = runInNewContext('gc') as () => void
  }
  for (let round = 0; round < 5; round++) {
    await new Promise((resolve) => setTimeout(resolve, 20))
    collect()
  }
}

export async function memory(): Promise<Memory> {
  await collectGarbage()
  return { heapBytes: process.memoryUsage().heapUsed, residentBytes: process.memoryUsage.rss() }
}

/** Calls `next` `laneCount` at a time until it gives `null`. */
export async function inLanes(laneCount: number, next: () => Promise<unknown> | null): Promise<void> {
  const lane = async (): Promise<void> => {
    for (let work = next(); work !== null; work = next()) await work
  }
  await Promise.all(Array.from({ length: laneCount }, lane))
}
