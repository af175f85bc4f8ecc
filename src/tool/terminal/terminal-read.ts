// terminal_read: what a terminal has shown, without typing anything.

import type { TerminalSnapshot } from '../../terminal/types.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted } from '../abort.js'
import { readCall } from '../call.js'
import type { Tool } from '../types.js'
import {
  answer,
  countField,
  type ExitFields,
  exitFields,
  outcomeFields,
  shellExitLine,
  terminalIdField
} from './fields.js'
import { readTerminalToolOptions, type TerminalToolOptions } from './options.js'

export interface TerminalReadInput {
  readonly terminal_id: string
  readonly lines?: number | undefined
}

export interface TerminalReadOutput extends ExitFields {
  readonly terminalId: string
  readonly text: string
  readonly position: number
  readonly state: TerminalSnapshot['state']
}

export type TerminalReadTool = Tool<TerminalReadInput, TerminalReadOutput>

/** @throws TypeError that names the option and the value. */
export function terminalReadTool(options: TerminalToolOptions): TerminalReadTool {
  const { terminals, maxResultBytes } = readTerminalToolOptions(options)
  const { z } = zod()
  const inputSchema = z.object(
    {
      terminal_id: terminalIdField(),
      lines: countField().optional().describe('How many of the last lines; default 500.')
    },
    { error: 'must be an object' }
  )
  const outputSchema = z.strictObject({
    terminalId: z.string(),
    text: z.string(),
    position: z.number(),
    state: z.enum(['open', 'sending', 'exited']),
    ...outcomeFields()
  })
  const render = (output: TerminalReadOutput): string =>
    answer(output.text || '(no output)', output.state === 'exited' ? [shellExitLine(output)] : [], maxResultBytes)
  return {
    name: 'terminal_read',
    description: 'Gives the last lines that a terminal has shown. Reading takes nothing away.',
    inputSchema,
    outputSchema,
    async execute(given, givenCall) {
      const { terminal_id: id, lines }: TerminalReadInput = parse(inputSchema, given, 'terminal_read', 'input')
      const { owner, signal } = readCall(givenCall)
      checkNotAborted(signal)
      const { text, position, state, outcome } = terminals.read({ id, owner, lines, maxBytes: maxResultBytes })
      return { terminalId: id, text, position, state, ...exitFields(outcome) }
    },
    render,
    present: (output) => ({ kind: 'terminal', title: output.terminalId, body: render(output), isError: false })
  }
}
