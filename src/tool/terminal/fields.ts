// Fields that several terminal tools share, what a model is told of them, and the texts of answers.

import type { SubprocessOutcome } from '../../subprocess/types.js'
import { firstFitting } from '../../terminal/clip.js'
import { zod } from '../../validation/zod.js'
import { withLine } from '../text.js'

export function terminalIdField() {
  const error = 'must be the id of a terminal'
  return zod()
    .z.string({ error })
    .refine((id) => id.trim() !== '', { error })
    .describe('Id of the terminal, such as pty-1.')
}

export function textField(problem: string) {
  return zod().z.string({ error: problem })
}

export function positiveField() {
  const error = 'must be a positive finite number'
  return zod().z.number({ error }).positive({ error })
}

export function countField() {
  const error = 'must be a positive integer'
  return zod().z.int({ error }).positive({ error })
}

/** The fields of an outcome, `null` both while the shell runs. */
export function outcomeFields() {
  const { z } = zod()
  return { exitCode: z.number().nullable(), signal: z.string().nullable() }
}

export interface ExitFields {
  readonly exitCode: number | null
  readonly signal: string | null
}

export function exitFields(outcome: SubprocessOutcome | undefined): ExitFields {
  return { exitCode: outcome?.exitCode ?? null, signal: outcome?.signal ?? null }
}

export function shellExitLine({ exitCode, signal }: ExitFields): string {
  if (signal !== null) return `[shell killed by signal: ${signal}]`
  return exitCode === null ? '[shell exited]' : `[shell exited: code ${exitCode}]`
}

/** `text`, of which the beginning gives way, and the lines after it, in at most `maxBytes` bytes together. */
export function answer(text: string, lines: readonly string[], maxBytes: number, isCut = false): string {
  const notes = isCut ? ['[earlier output is not shown]', ...lines] : lines
  const whole = notes.reduce(withLine, text)
  if (Buffer.byteLength(whole) <= maxBytes) return whole
  if (!isCut) return answer(text, lines, maxBytes, true)
  const room = maxBytes - Buffer.byteLength(notes.reduce(withLine, '')) - 1
  const kept = room > 0 ? text.slice(firstFitting(text, room)) : ''
  const cut = notes.reduce(withLine, kept)
  // Where not even the lines fit, the last of them matter most.
  return cut.slice(firstFitting(cut, maxBytes))
}
