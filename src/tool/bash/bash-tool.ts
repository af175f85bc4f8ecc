// The bash tool: everything is checked, and a wider mode approved, before anything runs; then the command runs in the
// foreground or as a job.

import type { JobSpec } from '../../jobs/types.js'
import { placeBelow } from '../../shell/request.js'
import type { ShellExecRequest } from '../../shell/types.js'
import { checkNotAborted } from '../abort.js'
import { type CheckedCall, readCall } from '../call.js'
import { prepareShellJob, type ShellJob } from '../shell-job.js'
import type { Tool, ToolCall } from '../types.js'
import { backgroundJobs } from './background.js'
import { describeBash } from './describe.js'
import { runInForeground } from './foreground.js'
import { waitForJob } from './foreground-job.js'
import { bashInputSchema, parseBashInput } from './input.js'
import { type BashSetup, type BashToolOptions, readBashOptions } from './options.js'
import { bashOutputSchema } from './output.js'
import { policyOfCall } from './policy.js'
import { presentBash } from './present.js'
import { renderBash } from './render.js'
import { sandboxNotes } from './sandbox-notes.js'
import type { BashInput, BashOutput } from './types.js'

export type BashTool = Tool<BashInput, BashOutput>

/** What the shell is asked for, but for what ends it. Nothing that a model sends gets here but by name. */
function requestOf(
  { environment }: BashSetup,
  { command, workdir, timeoutMs }: BashInput,
  session: CheckedCall['session'],
  sandboxPolicy: ShellExecRequest['sandboxPolicy']
): ShellExecRequest {
  const base = sandboxPolicy?.workspaceRoot ?? session?.cwd
  return {
    command,
    workdir: base === undefined ? workdir : placeBelow(base, workdir),
    timeoutMs,
    sandboxPolicy,
    dshEnv: environment?.collect(session)
  }
}

/** Starts the command as a job. `start` of the registry throws before anything runs. */
function makeJob(setup: BashSetup, input: BashInput, call: CheckedCall, request: ShellExecRequest) {
  const { spec, start } = prepareShellJob(setup.shell, request)
  let job: ShellJob | undefined
  const jobSpec: JobSpec = {
    kind: 'bash',
    label: input.description,
    owner: call.owner,
    run: () => {
      job = start(({ sandbox }) => sandboxNotes(sandbox))
      return job
    }
  }
  return { spec, jobSpec, job: () => job as ShellJob }
}

async function execute(setup: BashSetup, given: unknown, givenCall?: ToolCall): Promise<BashOutput> {
  const input = parseBashInput(given)
  const call = readCall(givenCall)
  checkNotAborted(call.signal)
  const background = backgroundJobs(setup, input)
  const policy = await policyOfCall(setup, input, call)
  checkNotAborted(call.signal)
  const request = requestOf(setup, input, call.session, policy)
  if (background !== null) {
    const { jobSpec } = makeJob(setup, input, call, { ...request, onExpiry: 'none' })
    return { kind: 'background', jobId: background.start(jobSpec).id }
  }
  const { jobs, promoteOnTimeout } = setup
  if (jobs !== undefined) {
    const made = makeJob(setup, input, call, { ...request, onExpiry: promoteOnTimeout ? 'none' : 'kill' })
    if (accepts(jobs, made.jobSpec)) {
      const started = jobs.start(made.jobSpec)
      const waitMs = promoteOnTimeout ? made.spec.timeoutMs : undefined
      return waitForJob({ jobs, started, job: made.job(), waitMs }, call)
    }
  }
  return runInForeground(setup.shell, request, call.signal)
}

/** A registry that takes no job, be it full or closed, is no reason not to run a command in the foreground. */
function accepts(jobs: NonNullable<BashSetup['jobs']>, spec: JobSpec): boolean {
  try {
    jobs.preflight(spec)
    return true
  } catch {
    return false
  }
}

/**
 * A tool that runs bash commands on `shell`.
 * @throws TypeError that names the option and the value; so for a shell that confines without `sandboxPolicy`.
 */
export function bashTool(options: BashToolOptions): BashTool {
  const setup = readBashOptions(options)
  return {
    name: 'bash',
    description: describeBash(setup),
    inputSchema: bashInputSchema(setup),
    outputSchema: bashOutputSchema(),
    execute: (input, call) => execute(setup, input, call),
    render: renderBash,
    present: presentBash
  }
}
