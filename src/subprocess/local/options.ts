// What both local runtimes are constructed with, and its checks.

import { invalidType } from '../../errors/invalid-input.js'
import { checkKeys, checkText, isObject } from '../preflight-values.js'
import type { RangeKind } from '../types.js'

/** A fact that weakens what the caller may rely on, told once. */
export interface RuntimeWarning {
  /** `QUIESCE_FALLBACK`, `QUIESCE_WEAK_RANGE` or `QUIESCE_UNGUARDED`; of jobs, those of `LocalJobOptions`. */
  readonly code: string
  readonly message: string
}

/** `end`: they are ended with all that they started. `leave`: they go on. */
export type HostCrashPolicy = 'end' | 'leave'

export interface LocalRuntimeOptions {
  /** The only range kinds that may be used; one that cannot be had is an error at construction. Absent: the strongest. */
  readonly ranges?: readonly RangeKind[] | undefined
  /** Where the folder of spill files is made, at the first overflow. Absent: the system's temp folder. */
  readonly spillDir?: string | undefined
  /**
   * What becomes of the commands when this process is killed or crashes, where a guardian can see to it (never on the
   * fallback). Absent: `end`.
   */
  readonly onHostCrash?: HostCrashPolicy | undefined
  /** Told what is weaker than it should be. Absent: nobody is. */
  readonly onWarning?: ((warning: RuntimeWarning) => void) | undefined
}

/** All of them, strongest first. */
export const rangeKinds: ReadonlySet<unknown> = new Set<RangeKind>(['cgroup', 'scope', 'supervisor', 'group'])
const sharedKeys = ['ranges', 'spillDir', 'onHostCrash', 'onWarning']

/** `own` are the further options of the runtime, which it checks itself. */
export function checkRuntimeOptions(options: LocalRuntimeOptions, own: readonly string[] = []): void {
  if (!isObject(options)) throw invalidType('options', options, 'must be an object')
  checkKeys('', options, new Set([...sharedKeys, ...own]))
  checkRanges(options.ranges)
  if (options.spillDir !== undefined) {
    checkText('spillDir', options.spillDir)
    if (options.spillDir === '') throw invalidType('spillDir', options.spillDir, 'must be a non-empty string')
  }
  const { onHostCrash } = options
  if (onHostCrash !== undefined && onHostCrash !== 'end' && onHostCrash !== 'leave') {
    throw invalidType('onHostCrash', onHostCrash, "must be 'end' or 'leave'")
  }
  if (options.onWarning !== undefined && typeof options.onWarning !== 'function') {
    throw invalidType('onWarning', options.onWarning, 'must be a function')
  }
}

function checkRanges(ranges: unknown): void {
  if (ranges === undefined) return
  if (!Array.isArray(ranges) || ranges.length === 0 || !ranges.every((kind) => rangeKinds.has(kind))) {
    throw invalidType('ranges', ranges, `must be a non-empty list of ${[...rangeKinds].join(', ')}`)
  }
}
