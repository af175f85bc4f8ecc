// The settings of a shell executor, and their two layers: what the executor was made with, and a live section over it
// that is read, and checked, at each `resolve`. A spec keeps what it was made with.

import { byteCount, type Rule, timerDuration } from './limits.js'
import { demand, demandKnownKeys } from './refusal.js'

export interface ShellSettings {
  /** Deadline of a request that names none. */
  readonly timeoutMs: number
  /** Cap of every deadline. */
  readonly maxTimeoutMs: number
  /** Kept in memory of each stream: its tail. */
  readonly maxOutputBytes: number
  /** Cap of the spill file of each stream. */
  readonly maxSpillBytes: number
  /** From TERM to KILL, and the longest wait for a held pipe after the exit. */
  readonly graceMs: number
}

/** `undefined` leaves a setting to the layer below. */
export type ShellSettingsInput = { readonly [Key in keyof ShellSettings]?: ShellSettings[Key] | undefined }

export const defaultShellSettings: ShellSettings = Object.freeze({
  timeoutMs: 120_000,
  maxTimeoutMs: 600_000,
  maxOutputBytes: 64_000,
  maxSpillBytes: 64 * 1024 * 1024,
  graceMs: 3_000
})

export const shellSettingRules: Readonly<Record<keyof ShellSettings, Rule>> = {
  timeoutMs: timerDuration,
  maxTimeoutMs: timerDuration,
  maxOutputBytes: byteCount,
  maxSpillBytes: byteCount,
  graceMs: timerDuration
}

const names = Object.keys(shellSettingRules) as (keyof ShellSettings)[]
const known: ReadonlySet<string> = new Set(names)

/** `over` laid on `base`, every value checked; `prefix` stands before the names in errors. */
export function layerSettings(base: ShellSettings, over: ShellSettingsInput, prefix: string): ShellSettings {
  const layered = { ...base }
  for (const name of names) {
    const value = over[name]
    if (value === undefined) continue
    demand(shellSettingRules[name], `${prefix}${name}`, value)
    layered[name] = value
  }
  return layered
}

/** Reads the live section over `base`. */
export function readLiveSettings(base: ShellSettings, live: unknown): ShellSettings {
  if (live === undefined) return base
  demandKnownKeys(live, known, 'settings')
  return layerSettings(base, live, 'settings.')
}
