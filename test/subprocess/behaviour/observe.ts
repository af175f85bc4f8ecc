// What tests look at: a finished command as a whole, and processes by a marker in their arguments.

import * as fs from 'node:fs'
import type { SubprocessHandle, SubprocessOutcome } from '../../../src/subprocess/types.js'

export interface Finished {
  readonly outcome: SubprocessOutcome
  readonly stdout: string
  readonly stderr: string
}

export async function finished(handle: SubprocessHandle): Promise<Finished> {
  const outcome = await handle.done
  return { outcome, stdout: textOf(handle, 'stdout'), stderr: textOf(handle, 'stderr') }
}

export function textOf(handle: SubprocessHandle, stream: 'stdout' | 'stderr' = 'stdout'): string {
  return handle.collected[stream]?.readFrom(0).text ?? ''
}

export const success: SubprocessOutcome = { exitCode: 0, signal: null }

let markers = 0

/** Seconds for `sleep`, different for each call, by which its process can be found. */
export function sleepMarker(): string {
  markers += 1
  return `${300 + markers}.${process.pid}`
}

/** Pids of processes that run and have `marker` as one of their arguments; a supervisor has those of its command. */
export function running(marker: string): number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const args = fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0')
      const state = fs.readFileSync(`/proc/${name}/stat`, 'latin1').split(') ').at(-1)?.[0] ?? 'X'
      const ofCommand = args.includes(marker) && args[0] !== 'quiesce-supervisor'
      return ofCommand && !'ZX'.includes(state) ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

/** Resolves as soon as `condition` holds; a test whose condition never comes true fails by its own time limit. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 5))
}

export async function untilOutput(handle: SubprocessHandle, text: string): Promise<void> {
  await until(() => textOf(handle).includes(text))
}
