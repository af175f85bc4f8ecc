// The three tools by which a model deals with its background jobs.

import { type JobKillTool, jobKillTool } from './job-kill.js'
import { type JobListTool, jobListTool } from './job-list.js'
import { type JobOutputTool, jobOutputTool } from './job-output.js'
import type { JobToolOptions } from './options.js'

/** @throws TypeError that names the option and the value. */
export function jobTools(options: JobToolOptions): readonly [JobOutputTool, JobListTool, JobKillTool] {
  return [jobOutputTool(options), jobListTool(options), jobKillTool(options)]
}
