// The result of the bash tool for people: a terminal card for a command that has ended, plain text for a job.

import { isObject } from '../../subprocess/preflight-values.js'
import type { ToolPresentation } from '../types.js'
import { bodyOf, renderBash } from './render.js'
import type { BashForeground, BashOutput } from './types.js'

/** From the facts: what the command has printed is never believed. */
function pillOf({ exitCode, signal, timedOut }: BashForeground): string {
  if (timedOut) return 'timed out'
  if (signal !== null) return signal
  return exitCode === null ? 'status unknown' : `exit ${exitCode}`
}

function titleOf(input: unknown): string {
  const description = isObject(input) ? input.description : undefined
  return typeof description === 'string' && description.trim() !== '' ? description : 'bash'
}

/** A command that failed by itself is no error of the tool. */
export function presentBash(output: BashOutput, input?: unknown): ToolPresentation {
  const title = titleOf(input)
  if (output.kind !== 'foreground') return { kind: 'generic', title, body: renderBash(output), isError: false }
  return { kind: 'terminal', title, body: bodyOf(output), pill: pillOf(output), isError: false }
}
