// What the local registry is constructed with, and its checks.

import { maxTimerDelayMs } from '../errors/contract-texts.js'
import { invalidRange, invalidType } from '../errors/invalid-input.js'
import type { RuntimeWarning } from '../subprocess/local/options.js'
import { checkKeys, checkSize, hasFields } from '../subprocess/preflight-values.js'
import type { JobOwner } from './types.js'

export interface JobSettings {
  /** How many jobs of one owner may be active, `running` and `stopping` together. */
  readonly maxActivePerOwner: number
  /**
   * How many ended jobs of one owner are kept with their output. Beyond it the oldest goes, one whose end has been reported
   * before one whose end has not.
   */
  readonly maxEndedPerOwner: number
  /** The most bytes of text that one read of a job gives, where neither the job nor the read says otherwise. */
  readonly outputLimitBytes: number
  /** How long disposal waits for jobs that it has cancelled. One that has not ended then is given up, with a warning. */
  readonly disposeTimeoutMs: number
}

/** `undefined` stands for the default. */
export type JobSettingsInput = { readonly [Key in keyof JobSettings]?: JobSettings[Key] | undefined }

export interface LocalJobOptions extends JobSettingsInput {
  /** Whether jobs may be started for an owner, such as whether its session is alive. Absent: for everybody. */
  readonly serves?: ((owner: JobOwner | undefined) => boolean) | undefined
  /**
   * Told of jobs that failed or were given up: `QUIESCE_JOB_FAILED`, `QUIESCE_JOB_ORPHANED`, `QUIESCE_JOB_LISTENER`.
   * Absent: nobody is.
   */
  readonly onWarning?: ((warning: RuntimeWarning) => void) | undefined
}

export const defaultJobSettings: JobSettings = Object.freeze({
  maxActivePerOwner: 10,
  maxEndedPerOwner: 32,
  outputLimitBytes: 64_000,
  disposeTimeoutMs: 10_000
})

const sizes = ['maxActivePerOwner', 'maxEndedPerOwner', 'outputLimitBytes'] as const
const functions = ['serves', 'onWarning'] as const
const known: ReadonlySet<string> = new Set([...Object.keys(defaultJobSettings), ...functions])

/** @throws TypeError or RangeError that names the option and the value. */
export function readJobOptions(given: LocalJobOptions): JobSettings & Pick<LocalJobOptions, 'serves' | 'onWarning'> {
  if (!hasFields(given)) throw invalidType('options', given, 'must be an object')
  checkKeys('', given, known)
  const own: LocalJobOptions = { ...given }
  for (const name of sizes) if (own[name] !== undefined) checkSize(name, own[name])
  for (const name of functions) {
    if (own[name] !== undefined && typeof own[name] !== 'function') {
      throw invalidType(name, own[name], 'must be a function')
    }
  }
  const { disposeTimeoutMs, serves, onWarning } = own
  if (disposeTimeoutMs !== undefined) checkDuration('disposeTimeoutMs', disposeTimeoutMs, false)
  return {
    maxActivePerOwner: own.maxActivePerOwner ?? defaultJobSettings.maxActivePerOwner,
    maxEndedPerOwner: own.maxEndedPerOwner ?? defaultJobSettings.maxEndedPerOwner,
    outputLimitBytes: own.outputLimitBytes ?? defaultJobSettings.outputLimitBytes,
    disposeTimeoutMs: disposeTimeoutMs ?? defaultJobSettings.disposeTimeoutMs,
    serves,
    onWarning
  }
}

/** A delay that a timer can be set to as it stands. */
export function checkDuration(option: string, value: unknown, orZero: boolean): asserts value is number {
  if (typeof value === 'number' && (value > 0 || (orZero && value === 0)) && value <= maxTimerDelayMs) return
  const problem = `must be a ${orZero ? 'number from 0 to' : 'positive finite number no greater than'} ${maxTimerDelayMs}`
  throw typeof value === 'number' ? invalidRange(option, value, problem) : invalidType(option, value, problem)
}
