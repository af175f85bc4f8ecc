// The settings of a shell executor, and their two layers: what the executor was made with, and a live section over it
// that is read, and checked, at each `resolve`. A spec keeps what it was made with.

import { invalidType } from '../errors/invalid-input.js'
import { checkLimits, layerLimits } from '../subprocess/preflight-limits.js'
import { checkKeys, checkSize, isObject } from '../subprocess/preflight-values.js'
import { snapshotFields } from '../subprocess/snapshot.js'
import type { SubprocessLimits } from '../subprocess/types.js'
import { checkDelay } from './durations.js'

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
  /** Of requests that name none, limit by limit; absent: none. */
  readonly limits?: SubprocessLimits | undefined
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

type Check = (option: string, value: unknown) => void

type NumberName = Exclude<keyof ShellSettings, 'limits'>

const checks: Readonly<Record<NumberName, Check>> = {
  timeoutMs: checkDelay,
  maxTimeoutMs: checkDelay,
  maxOutputBytes: checkSize,
  maxSpillBytes: checkSize,
  graceMs: checkDelay
}

const numberNames = Object.keys(checks) as readonly NumberName[]
export const shellSettingNames: readonly (keyof ShellSettings)[] = [...numberNames, 'limits']
const known: ReadonlySet<string> = new Set(shellSettingNames)

/** `over` laid on `base`, every value checked; `prefix` stands before the names in errors. */
export function layerSettings(base: ShellSettings, over: ShellSettingsInput, prefix: string): ShellSettings {
  const layered: { -readonly [Name in keyof ShellSettings]: ShellSettings[Name] } = { ...base }
  for (const name of numberNames) {
    const value = over[name]
    if (value === undefined) continue
    checks[name](`${prefix}${name}`, value)
    layered[name] = value
  }
  const limits = snapshotFields(over.limits)
  if (limits === undefined) return layered
  checkLimits(`${prefix}limits`, limits)
  layered.limits = layerLimits(base.limits, limits)
  return layered
}

/** Reads the live section over `base`. */
export function readLiveSettings(base: ShellSettings, live: unknown): ShellSettings {
  if (live === undefined) return base
  if (!isObject(live)) throw invalidType('settings', live, 'must be an object')
  checkKeys('settings', live, known)
  return layerSettings(base, live, 'settings.')
}
