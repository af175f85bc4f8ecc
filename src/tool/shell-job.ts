// A shell command as a job: it may be asked to end at any time from its start on, be it prepared, running or over, and what
// it prints is read by offset.

import type { JobHooks, JobOutcome } from '../jobs/types.js'
import type { ShellExecutor } from '../shell/executor.js'
import type { ShellExecRequest, ShellExecSpec, ShellExecution, ShellRunResult } from '../shell/types.js'
import { LateReader } from './late-reader.js'

/** What the registry owns of it, and for who waits in the foreground its result. */
export interface ShellJob extends JobHooks {
  /** As that of the execution; rejects also where preparation was called off or failed. */
  result(): Promise<ShellRunResult>
}

/** A command that has been checked and can be started. */
export interface PreparedShellJob {
  readonly spec: ShellExecSpec
  /** For `run` of a job; once. `notes`: what is to be said of an execution that has ended; absent: nothing. */
  start(notes?: (execution: ShellExecution) => readonly string[]): ShellJob
}

/** How long the end of a job waits for the whole range of a command that was told to end, after its grace. */
const restMs = 1_000

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const beforeExit: JobOutcome = { state: 'killed', detail: 'killed before exit' }

/** False where the range is not empty in that time, or nobody can tell. */
export async function comesToRest(execution: ShellExecution, { graceMs }: ShellExecSpec): Promise<boolean> {
  return execution.waitForExit(AbortSignal.timeout(graceMs + restMs)).catch(() => false)
}

async function outcomeOf(execution: ShellExecution): Promise<JobOutcome> {
  const { exitCode, signal, status, sandbox } = execution
  // Only these two can be failures of the infrastructure. A result is not asked for otherwise: it is a copy of the output.
  if (sandbox?.runnerFailed || (exitCode === null && signal === null)) {
    const failed = await execution.result().then(
      () => null,
      (error: unknown): JobOutcome => ({ state: 'failed', detail: textOf(error) })
    )
    if (failed !== null) return failed
  }
  if (status === 'completed') return { state: 'completed', detail: `exit code: ${exitCode}` }
  return signal === null ? beforeExit : { state: 'killed', detail: `signal: ${signal}` }
}

/**
 * A command for a `JobRegistry`: `jobs.start({ kind, label, owner, run: () => prepared.start() })`. The job's own end, not
 * `request.signal`, is what ends it; with `onExpiry: 'none'` it has no deadline.
 * @throws TypeError or RangeError that names the field and the value, and nothing has been started.
 */
export function prepareShellJob(shell: ShellExecutor, request: ShellExecRequest): PreparedShellJob {
  const controller = new AbortController()
  const spec = shell.resolve({ ...request, signal: controller.signal })
  return { spec, start: (notes = () => []) => startShellJob(shell, spec, controller, notes) }
}

function startShellJob(
  shell: ShellExecutor,
  spec: ShellExecSpec,
  controller: AbortController,
  notesOf: (execution: ShellExecution) => readonly string[]
): ShellJob {
  const output = { stdout: new LateReader(), stderr: new LateReader() }
  let execution: ShellExecution | null = null

  const publish = (published: ShellExecution): ShellExecution => {
    execution = published
    output.stdout.attach(published.observed.stdout)
    output.stderr.attach(published.observed.stderr)
    return published
  }

  const published = shell.execute(spec).then(publish, (error: unknown) => {
    output.stdout.close()
    output.stderr.close()
    throw error
  })

  const end = async (): Promise<JobOutcome> => {
    let started: ShellExecution
    try {
      started = await published
    } catch (error) {
      return controller.signal.aborted ? beforeExit : { state: 'failed', detail: textOf(error) }
    }
    await started.done
    if (controller.signal.aborted) await comesToRest(started, spec)
    return outcomeOf(started)
  }

  return {
    done: end(),
    output,
    cancel(reason) {
      // Before publication this ends the preparation, and afterwards the range; `kill` makes the state visible at once.
      controller.abort(new Error(reason))
      execution?.kill()
    },
    notes: () => (execution === null || execution.status === 'running' ? [] : notesOf(execution)),
    result: async () => (await published).result()
  }
}
