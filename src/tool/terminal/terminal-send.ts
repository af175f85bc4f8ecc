// terminal_send: types into a terminal and waits until it wants input again.

import type { TerminalSendReason } from '../../terminal/types.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted, orAborted } from '../abort.js'
import { readCall } from '../call.js'
import type { Tool } from '../types.js'
import {
  answer,
  type ExitFields,
  exitFields,
  outcomeFields,
  positiveField,
  shellExitLine,
  terminalIdField,
  textField
} from './fields.js'
import { readTerminalToolOptions, type TerminalToolOptions } from './options.js'

export interface TerminalSendInput {
  readonly terminal_id: string
  readonly text: string
  readonly enter?: boolean | undefined
  readonly timeoutMs?: number | undefined
}

export interface TerminalSendOutput extends ExitFields {
  readonly terminalId: string
  readonly reason: TerminalSendReason
  readonly output: string
  readonly truncated: boolean
  readonly position: number
  readonly continuation: boolean
}

export type TerminalSendTool = Tool<TerminalSendInput, TerminalSendOutput>

const lines: Readonly<Record<Exclude<TerminalSendReason, 'session_exit' | 'stdin_read'>, string>> = {
  inferred_idle: '[no output for a while; the terminal may be waiting for input or still at work]',
  timeout: '[the wait is over; what runs in the terminal goes on]'
}

function linesOf(output: TerminalSendOutput): string[] {
  if (output.reason === 'session_exit') return [shellExitLine(output)]
  if (output.reason !== 'stdin_read') return [lines[output.reason]]
  return output.continuation ? ['[the command is unfinished: the shell waits for the rest of it]'] : []
}

/** @throws TypeError that names the option and the value. */
export function terminalSendTool(options: TerminalToolOptions): TerminalSendTool {
  const { terminals, maxResultBytes } = readTerminalToolOptions(options)
  const { z } = zod()
  const inputSchema = z.object(
    {
      terminal_id: terminalIdField(),
      text: textField('must be a string').describe('What to type. Control characters pass as they are.'),
      enter: z.boolean({ error: 'must be true or false' }).optional().describe('Press Enter after it; default true.'),
      timeoutMs: positiveField()
        .optional()
        .describe('How long to wait for the terminal, in milliseconds; it ends nothing.')
    },
    { error: 'must be an object' }
  )
  const outputSchema = z.strictObject({
    terminalId: z.string(),
    reason: z.enum(['stdin_read', 'inferred_idle', 'timeout', 'session_exit']),
    output: z.string(),
    truncated: z.boolean(),
    position: z.number(),
    continuation: z.boolean(),
    ...outcomeFields()
  })
  const render = (output: TerminalSendOutput): string =>
    answer(output.output, linesOf(output), maxResultBytes, output.truncated)
  return {
    name: 'terminal_send',
    description:
      'Types text into a terminal and gives what it shows, as soon as it waits for input again. ' +
      'One at a time for each terminal.',
    inputSchema,
    outputSchema,
    async execute(given, givenCall) {
      const { terminal_id: id, ...typing }: TerminalSendInput = parse(inputSchema, given, 'terminal_send', 'input')
      const { owner, signal } = readCall(givenCall)
      checkNotAborted(signal)
      const sending = terminals.send({ ...typing, id, owner, signal, maxBytes: maxResultBytes })
      const { outcome, ...result } = await orAborted(sending, signal)
      return { terminalId: id, ...result, ...exitFields(outcome) }
    },
    render,
    present: (output) => ({ kind: 'terminal', title: output.terminalId, body: render(output), isError: false })
  }
}
