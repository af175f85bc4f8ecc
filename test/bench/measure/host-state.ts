// What this process holds, read from /proc: it means the same in every runtime.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'

const status = (field: string): number =>
  Number(new RegExp(`^${field}:\\s+(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1])

export const residentBytes = (): number => status('VmRSS') * 1024
export const peakResidentBytes = (): number => status('VmHWM') * 1024
export const threadCount = (): number => status('Threads')
export const descriptorCount = (): number => readdirSync('/proc/self/fd').length

/** From here on the peak counts anew. */
export function forgetPeak(): void {
  writeFileSync('/proc/self/clear_refs', '5')
}

/** Children of any thread, zombies included. */
export function childCount(): number {
  const children = (thread: string): string => readFileSync(`/proc/self/task/${thread}/children`, 'utf8')
  return readdirSync('/proc/self/task').flatMap((thread) => children(thread).split(' ').filter(Boolean)).length
}
