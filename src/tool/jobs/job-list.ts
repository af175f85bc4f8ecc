// job_list: the jobs of the session, a line each.

import type { JobRegistry } from '../../jobs/registry.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted } from '../abort.js'
import { readCall } from '../call.js'
import type { Tool, ToolCall } from '../types.js'
import { type JobToolOptions, readJobToolOptions } from './options.js'
import { type JobStatus, statusFields, statusLine, statusOf } from './status.js'

export type JobListInput = Readonly<Record<never, never>>

export interface ListedJob extends JobStatus {
  readonly label: string
}

export interface JobListOutput {
  /** Oldest first. */
  readonly jobs: readonly ListedJob[]
  /** How many are left out because the list would be too long: those that have ended go first, and the oldest. */
  readonly leftOut: number
}

export type JobListTool = Tool<JobListInput, JobListOutput>

/** The most bytes that the lines may have together. */
const maxListBytes = 32_000

function outputSchema() {
  const { z } = zod()
  return z.strictObject({
    jobs: z.array(z.strictObject({ ...statusFields(), label: z.string() })),
    leftOut: z.number()
  })
}

/** On one line, whatever the label holds. */
const lineOf = (job: ListedJob): string => `${job.jobId}: ${job.label.replace(/\s+/g, ' ')} ${statusLine(job)}`

const isActive = ({ state }: ListedJob): boolean => state === 'running' || state === 'stopping'

function withinBounds(all: readonly ListedJob[]): JobListOutput {
  const newestFirst = [...all].reverse()
  const kept = new Set<ListedJob>()
  let bytes = 0
  for (const job of [...newestFirst.filter(isActive), ...newestFirst.filter((job) => !isActive(job))]) {
    bytes += Buffer.byteLength(lineOf(job)) + 1
    if (bytes > maxListBytes) break
    kept.add(job)
  }
  const jobs = all.filter((job) => kept.has(job))
  return { jobs, leftOut: all.length - jobs.length }
}

async function execute(jobs: JobRegistry, schema: import('zod').ZodType, given: unknown, givenCall?: ToolCall) {
  parse(schema, given, 'job_list', 'input')
  const { owner, signal } = readCall(givenCall)
  checkNotAborted(signal)
  return withinBounds(jobs.list({ owner }).map((job) => ({ ...statusOf(job), label: job.label })))
}

function render({ jobs, leftOut }: JobListOutput): string {
  if (jobs.length === 0 && leftOut === 0) return '(no background jobs)'
  return [...(leftOut > 0 ? [`(${leftOut} more jobs are not shown)`] : []), ...jobs.map(lineOf)].join('\n')
}

/** @throws TypeError that names the option and the value. */
export function jobListTool(options: JobToolOptions): JobListTool {
  const jobs = readJobToolOptions(options)
  const schema = zod().z.object({}, { error: 'must be an object' })
  return {
    name: 'job_list',
    description: 'Lists the background jobs of this session with their status, oldest first.',
    inputSchema: schema,
    outputSchema: outputSchema(),
    execute: (input, call) => execute(jobs, schema, input, call),
    render,
    present: (output) => ({ kind: 'generic', title: 'Background jobs', body: render(output), isError: false })
  }
}
