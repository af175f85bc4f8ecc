// Whether a call may start a background job. Checked again at each call: a model can send what was not advertised.

import type { JobRegistry } from '../../jobs/registry.js'
import { BackgroundUnavailableError } from './background-error.js'
import type { BashSetup } from './options.js'
import type { BashInput } from './types.js'

/** The registry for the job that was asked for; `null`: none was. */
export function backgroundJobs({ jobs, background }: BashSetup, input: BashInput): JobRegistry | null {
  if (!input.run_in_background) return null
  if (jobs === undefined) throw new BackgroundUnavailableError('there is no registry of background jobs')
  if (!background) throw new BackgroundUnavailableError('background commands are switched off')
  return jobs
}
