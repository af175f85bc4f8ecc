// The result of the bash tool as a model reads it: what was printed, then what is to be known about it, how it ended last.

import { joinSections } from '../../shell/execution-output.js'
import { formatExitStatus } from '../../shell/exit-status.js'
import { lostNotice, withLine } from '../text.js'
import { sandboxNotes } from './sandbox-notes.js'
import type { BashForeground, BashOutput, BashPromoted, BashStream } from './types.js'

function truncationOf({ truncated, spillPath }: BashStream): string[] {
  return truncated ? [`[output truncated; full output: ${spillPath ?? '(unavailable)'}]`] : []
}

/** Everything but how it ended. */
export function bodyOf(output: BashForeground): string {
  const { stdout, stderr, sandbox, timedOut, timeoutMs } = output
  const lines = [...truncationOf(stdout), ...truncationOf(stderr), ...sandboxNotes(sandbox)]
  if (timedOut) lines.push(`[timed out after ${timeoutMs}ms]`)
  return lines.reduce(withLine, joinSections(stdout.text, stderr.text) || '(no output)')
}

function renderPromoted({ stdout, stderr, lossy, spillPaths, timeoutMs, jobId }: BashPromoted): string {
  const printed = joinSections(stdout, stderr)
  const text = lossy ? withLine(printed, lostNotice(spillPaths)) : printed
  return withLine(text, `[still running after ${timeoutMs}ms; moved to background job ${jobId}]`)
}

export function renderBash(output: BashOutput): string {
  if (output.kind === 'background') return `[started as background job ${output.jobId}]`
  if (output.kind === 'promoted') return renderPromoted(output)
  const { exitCode, signal } = output
  const status = formatExitStatus({ exitCode, signal })
  return status === null ? bodyOf(output) : withLine(bodyOf(output), status)
}
