// A command whose end the call waits for, without a job: the call's signal and the deadline end it.

import type { ShellExecutor } from '../../shell/executor.js'
import type { ShellExecRequest, ShellRunResult } from '../../shell/types.js'
import { ToolAbortError } from '../abort.js'
import { comesToRest } from '../shell-job.js'
import { foregroundOf } from './output.js'
import type { BashForeground } from './types.js'

/** @throws ToolAbortError for a command that somebody ended. */
export function settled(result: ShellRunResult, signal: AbortSignal | undefined): BashForeground {
  if (result.aborted) throw new ToolAbortError(signal?.reason)
  return foregroundOf(result)
}

export async function runInForeground(
  shell: ShellExecutor,
  request: ShellExecRequest,
  signal: AbortSignal | undefined
): Promise<BashForeground> {
  const spec = shell.resolve({ ...request, signal })
  try {
    const execution = await shell.execute(spec)
    const result = await execution.result()
    if (result.aborted) await comesToRest(execution, spec)
    return settled(result, signal)
  } catch (error) {
    if (error instanceof ToolAbortError || !signal?.aborted) throw error
    throw new ToolAbortError(error)
  }
}
