// terminal_close: ends a terminal with everything in it.

import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted } from '../abort.js'
import { readCall } from '../call.js'
import type { Tool } from '../types.js'
import { terminalIdField } from './fields.js'
import { readTerminalToolOptions, type TerminalToolOptions } from './options.js'

export interface TerminalCloseInput {
  readonly terminal_id: string
}

export interface TerminalCloseOutput {
  readonly terminalId: string
}

export type TerminalCloseTool = Tool<TerminalCloseInput, TerminalCloseOutput>

/** @throws TypeError that names the option and the value. */
export function terminalCloseTool(options: TerminalToolOptions): TerminalCloseTool {
  const { terminals } = readTerminalToolOptions(options)
  const { z } = zod()
  const inputSchema = z.object({ terminal_id: terminalIdField() }, { error: 'must be an object' })
  const render = ({ terminalId }: TerminalCloseOutput): string => `[terminal ${terminalId} closed]`
  return {
    name: 'terminal_close',
    description: 'Ends a terminal with everything that runs in it.',
    inputSchema,
    outputSchema: z.strictObject({ terminalId: z.string() }),
    async execute(given, givenCall) {
      const { terminal_id: id }: TerminalCloseInput = parse(inputSchema, given, 'terminal_close', 'input')
      const { owner, signal } = readCall(givenCall)
      checkNotAborted(signal)
      await terminals.close({ id, owner })
      return { terminalId: id }
    },
    render,
    present: (output) => ({ kind: 'generic', title: output.terminalId, body: render(output), isError: false })
  }
}
