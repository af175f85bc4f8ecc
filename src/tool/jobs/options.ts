// What the job tools are made of.

import { invalidType } from '../../errors/invalid-input.js'
import type { JobRegistry } from '../../jobs/registry.js'
import { checkKeys, hasFields, isObject } from '../../subprocess/preflight-values.js'

export interface JobToolOptions {
  readonly jobs: JobRegistry
}

const known: ReadonlySet<string> = new Set(['jobs'] satisfies (keyof JobToolOptions)[])

/** @throws TypeError that names the option and the value. */
export function readJobToolOptions(options: JobToolOptions): JobRegistry {
  if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
  checkKeys('', options, known)
  const { jobs } = options as JobToolOptions
  if (isObject(jobs) && typeof jobs.read === 'function') return jobs
  throw invalidType('jobs', jobs, 'must be a JobRegistry')
}
