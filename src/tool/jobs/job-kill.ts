// job_kill: asks a job to end. The answer comes at once; job_output with a wait tells the end.

import type { JobRegistry } from '../../jobs/registry.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted } from '../abort.js'
import { readCall } from '../call.js'
import type { Tool, ToolCall } from '../types.js'
import { type JobToolOptions, readJobToolOptions } from './options.js'
import { type JobStatus, jobIdField, statusFields, statusLine, statusOf } from './status.js'

export interface JobKillInput {
  readonly job_id: string
  readonly reason?: string | undefined
}

export interface JobKillOutput extends JobStatus {
  /** False: it had ended before. */
  readonly requested: boolean
}

export type JobKillTool = Tool<JobKillInput, JobKillOutput>

const defaultReason = 'job_kill'

function inputSchema() {
  const { z } = zod()
  return z.object(
    {
      job_id: jobIdField(),
      reason: z.string({ error: 'must be a string' }).optional().describe('Why, for the record.')
    },
    { error: 'must be an object' }
  )
}

function outputSchema() {
  return zod().z.strictObject({ ...statusFields(), requested: zod().z.boolean() })
}

async function execute(
  jobs: JobRegistry,
  schema: ReturnType<typeof inputSchema>,
  given: unknown,
  givenCall?: ToolCall
) {
  const { job_id: id, reason = defaultReason }: JobKillInput = parse(schema, given, 'job_kill', 'input')
  const { owner, signal } = readCall(givenCall)
  checkNotAborted(signal)
  const requested = jobs.kill(id, { owner, reason }) === 'requested'
  return { ...statusOf(jobs.get(id, { owner })), requested }
}

function render(output: JobKillOutput): string {
  const { jobId, requested } = output
  const answer = requested ? `Job ${jobId} has been asked to end.` : `Job ${jobId} had already ended.`
  return `${answer}\n${statusLine(output)}`
}

/** @throws TypeError that names the option and the value. */
export function jobKillTool(options: JobToolOptions): JobKillTool {
  const jobs = readJobToolOptions(options)
  const schema = inputSchema()
  return {
    name: 'job_kill',
    description: 'Ends a background job with everything that it has started.',
    inputSchema: schema,
    outputSchema: outputSchema(),
    execute: (input, call) => execute(jobs, schema, input, call),
    render,
    present: (output) => ({
      ...{ kind: 'generic', title: `End of ${output.jobId}` },
      ...{ body: render(output), isError: false }
    })
  }
}
