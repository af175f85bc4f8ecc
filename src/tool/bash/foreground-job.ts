// A command whose end the call waits for, as a job from its start. One that outlasts the wait stays the job that it is;
// nothing changes hands but who may end it: the call's signal until the call has returned, from then on the job's owner.

import type { JobRegistry } from '../../jobs/registry.js'
import type { JobAccess, JobSnapshot } from '../../jobs/types.js'
import { ToolAbortError } from '../abort.js'
import type { CheckedCall } from '../call.js'
import { readOnwards } from '../jobs/read-onwards.js'
import type { ShellJob } from '../shell-job.js'
import { settled } from './foreground.js'
import { renderBash } from './render.js'
import type { BashForeground, BashPromoted } from './types.js'

export interface WaitedJob {
  readonly jobs: JobRegistry
  readonly started: JobSnapshot
  readonly job: ShellJob
  /** How long the call waits; `undefined`: until the end, which a deadline of the command sees to. */
  readonly waitMs: number | undefined
}

function promoted({ jobs, started }: WaitedJob, access: JobAccess, timeoutMs: number): BashPromoted {
  const { id: jobId, outputLimitBytes } = started
  const compose = ({ stdout, stderr, lossy, spillPaths }: ReturnType<typeof readOnwards>): BashPromoted => ({
    ...{ kind: 'promoted', jobId, timeoutMs, stdout, stderr, lossy },
    spillPaths: [...spillPaths]
  })
  return compose(readOnwards(jobs, jobId, access, outputLimitBytes, (read) => renderBash(compose(read))))
}

/** @throws ToolAbortError once the command has been ended; whatever makes a result impossible. */
export async function waitForJob(
  waited: WaitedJob,
  { signal, owner }: CheckedCall
): Promise<BashForeground | BashPromoted> {
  const { jobs, started, job, waitMs } = waited
  const { id } = started
  const end = (): void => {
    const reason = 'tool call aborted'
    try {
      jobs.kill(id, { owner, reason })
    } catch {
      // The registry no longer knows it; the command is this call's all the same.
      job.cancel(reason)
    }
  }
  signal?.addEventListener('abort', end)
  try {
    // A wait at its end counts as having told the end, so nobody gets a notice of it.
    await jobs.wait(id, { owner, timeoutMs: waitMs })
    if (isRunning(jobs, id, { owner }) && !signal?.aborted) return promoted(waited, { owner }, waitMs ?? 0)
    // It has ended, or has been told to by this call's signal or by somebody else.
    const { state } = await job.done
    const result = await job.result().catch((error: unknown) => {
      throw state === 'killed' || signal?.aborted ? new ToolAbortError(signal?.reason ?? error) : error
    })
    forget(jobs, id, { owner })
    return settled(result, signal)
  } catch (error) {
    // Whoever called has not been told of a job, so there must be none.
    end()
    forget(jobs, id, { owner })
    throw error
  } finally {
    signal?.removeEventListener('abort', end)
  }
}

/** Now, and not when the wait was over: the end may have come between the two. */
function isRunning(jobs: JobRegistry, id: string, access: JobAccess): boolean {
  try {
    return jobs.get(id, access).state === 'running'
  } catch {
    return false
  }
}

/** A command that the call itself has told the end of is of no use as a job any more. */
function forget(jobs: JobRegistry, id: string, access: JobAccess): void {
  try {
    jobs.forget(id, access)
  } catch {
    // It is forgotten already: its owner or the registry has been disposed of.
  }
}
