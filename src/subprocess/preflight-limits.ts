// The part of the preflight that is about limits, for every layer that takes them, and how one set of them is laid over
// another.

import { invalidRange, invalidType } from '../errors/invalid-input.js'
import { checkKeys, hasFields } from './preflight-values.js'
import type { SubprocessLimits } from './types.js'

export type LimitName = keyof SubprocessLimits

interface Rule {
  readonly accepts: (value: unknown) => boolean
  /** What the value must be, as the end of a sentence. */
  readonly problem: string
}

const integerTo = (largest: number): Rule['accepts'] => {
  return (value) => Number.isSafeInteger(value) && (value as number) > 0 && (value as number) <= largest
}

const size: Rule = { accepts: integerTo(Number.MAX_SAFE_INTEGER), problem: 'must be a positive safe integer' }

/** PID_MAX_LIMIT in include/linux/threads.h: no pids.max may be larger. */
const mostPids = 4_194_304
/** The kernel counts in nanoseconds, which must not overflow. */
const mostSeconds = 2_147_483_647
/** One hundredth is the shortest share that cpu.max knows, 8192 the most processors that a kernel can be built for. */
const isCpus = (value: unknown): boolean => typeof value === 'number' && value >= 0.01 && value <= 8192

export const limitRules: Readonly<Record<LimitName, Rule>> = {
  memoryBytes: size,
  pids: { accepts: integerTo(mostPids), problem: `must be a positive integer no greater than ${mostPids}` },
  cpus: { accepts: isCpus, problem: 'must be a number from 0.01 to 8192' },
  cpuSeconds: { accepts: integerTo(mostSeconds), problem: `must be a positive integer no greater than ${mostSeconds}` },
  fileBytes: size,
  openFiles: size
}

export const limitNames = Object.keys(limitRules) as readonly LimitName[]
const known: ReadonlySet<string> = new Set(limitNames)

/** @throws TypeError or RangeError that names the limit, below `option`, and the value. */
export function checkLimits(option: string, limits: unknown): asserts limits is SubprocessLimits {
  if (!hasFields(limits)) throw invalidType(option, limits, 'must be an object')
  checkKeys(option, limits, known)
  for (const name of limitNames) {
    const value = limits[name]
    const { accepts, problem } = limitRules[name]
    if (value === undefined || accepts(value)) continue
    const refuse = typeof value === 'number' ? invalidRange : invalidType
    throw refuse(`${option}.${name}`, value, problem)
  }
}

/** `over` laid on `base`, limit by limit; `undefined` where none is left. */
export function layerLimits(
  base: SubprocessLimits | undefined,
  over: SubprocessLimits | undefined
): SubprocessLimits | undefined {
  if (over === undefined) return base
  const layered: { -readonly [Name in LimitName]?: number } = {}
  for (const name of limitNames) {
    const value = over[name] ?? base?.[name]
    if (value !== undefined) layered[name] = value
  }
  return Object.keys(layered).length === 0 ? undefined : Object.freeze(layered)
}
