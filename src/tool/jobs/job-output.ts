// job_output: what a job has printed since the session last looked, after a wait for its end if one is wanted.

import type { JobRegistry } from '../../jobs/registry.js'
import type { JobRead } from '../../jobs/types.js'
import { joinSections } from '../../shell/execution-output.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted, ToolAbortError } from '../abort.js'
import { type CheckedCall, readCall } from '../call.js'
import { cutToBytes, lostNotice, withLine } from '../text.js'
import type { Tool, ToolCall } from '../types.js'
import { type JobToolOptions, readJobToolOptions } from './options.js'
import { readOnwards } from './read-onwards.js'
import { type JobStatus, jobIdField, statusFields, statusLine, statusOf } from './status.js'

export interface JobOutputInput {
  readonly job_id: string
  /** Waits for the end of the job first. */
  readonly wait?: boolean | undefined
  /** Bound of that wait in milliseconds; absent: 30,000. Capped at 600,000. */
  readonly timeout_ms?: number | undefined
}

export interface JobOutputOutput extends JobStatus {
  readonly stdout: string
  readonly stderr: string
  /** Something since the last look is left out that memory no longer has. */
  readonly lossy: boolean
  /** The next call has more, at once. */
  readonly more: boolean
  readonly spillPaths: readonly string[]
  /** What is to be known about an ended job, such as a denial of its sandbox. */
  readonly notes: readonly string[]
  /** The most bytes that the rendered text may have. */
  readonly limitBytes: number
}

export type JobOutputTool = Tool<JobOutputInput, JobOutputOutput>

const defaultWaitMs = 30_000
const maxWaitMs = 600_000
const duration = 'must be a positive finite number'

function inputSchema() {
  const { z } = zod()
  return z.object(
    {
      job_id: jobIdField(),
      wait: z.boolean({ error: 'must be true or false' }).optional().describe('Wait for the job to end first.'),
      timeout_ms: z
        .number({ error: duration })
        .positive({ error: duration })
        .optional()
        .describe(`How long to wait at most, in milliseconds; ${defaultWaitMs} if absent, ${maxWaitMs} at most.`)
    },
    { error: 'must be an object' }
  )
}

function outputSchema() {
  const { z } = zod()
  return z.strictObject({
    ...statusFields(),
    stdout: z.string(),
    stderr: z.string(),
    lossy: z.boolean(),
    more: z.boolean(),
    spillPaths: z.array(z.string()),
    notes: z.array(z.string()),
    limitBytes: z.number()
  })
}

function outputOf({ job, stdout, stderr, lossy, more, spillPaths, notes }: JobRead): JobOutputOutput {
  return {
    ...statusOf(job),
    ...{ stdout, stderr, lossy, more },
    spillPaths: [...spillPaths],
    notes: [...notes],
    limitBytes: job.outputLimitBytes
  }
}

function compose(output: JobOutputOutput): string {
  const { stdout, stderr, lossy, more, spillPaths, notes } = output
  const lines = [
    ...(lossy ? [lostNotice(spillPaths)] : []),
    ...notes,
    ...(more ? ['[there is more output: read again]'] : []),
    statusLine(output)
  ]
  return lines.reduce(withLine, joinSections(stdout, stderr) || '(no new output)')
}

async function waitForEnd(
  jobs: JobRegistry,
  { job_id: id, timeout_ms: timeoutMs = defaultWaitMs }: JobOutputInput,
  { owner, signal }: CheckedCall
): Promise<void> {
  try {
    await jobs.wait(id, { owner, signal, timeoutMs: Math.min(timeoutMs, maxWaitMs) })
  } catch (error) {
    throw signal?.aborted ? new ToolAbortError(signal.reason) : error
  }
}

async function execute(
  jobs: JobRegistry,
  schema: ReturnType<typeof inputSchema>,
  given: unknown,
  givenCall?: ToolCall
) {
  const input: JobOutputInput = parse(schema, given, 'job_output', 'input')
  const call = readCall(givenCall)
  checkNotAborted(call.signal)
  if (input.wait) await waitForEnd(jobs, input, call)
  const { job_id: id } = input
  const access = { owner: call.owner }
  const { outputLimitBytes } = jobs.get(id, access)
  return outputOf(readOnwards(jobs, id, access, outputLimitBytes, (read) => compose(outputOf(read))))
}

const description = [
  'Returns what a background job has printed since the last call, and its status as the last line.',
  'With wait the call returns when the job has ended, or after timeout_ms. Waiting and reading stop nothing.'
].join('\n')

/** @throws TypeError that names the option and the value. */
export function jobOutputTool(options: JobToolOptions): JobOutputTool {
  const jobs = readJobToolOptions(options)
  const schema = inputSchema()
  const render = (output: JobOutputOutput): string => cutToBytes(compose(output), output.limitBytes)
  return {
    name: 'job_output',
    description,
    inputSchema: schema,
    outputSchema: outputSchema(),
    execute: (input, call) => execute(jobs, schema, input, call),
    render,
    present: (output) => ({
      ...{ kind: 'generic', title: `Output of ${output.jobId}` },
      ...{ body: render(output), isError: false }
    })
  }
}
