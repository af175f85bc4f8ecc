// terminal_open: a persistent shell in a pseudoterminal.

import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted, orAborted } from '../abort.js'
import { readCall } from '../call.js'
import { sessionPolicy } from '../session-policy.js'
import type { Tool } from '../types.js'
import { textField } from './fields.js'
import { readTerminalToolOptions, type TerminalToolOptions } from './options.js'

export interface TerminalOpenInput {
  readonly name?: string | undefined
}

export interface TerminalOpenOutput {
  readonly terminalId: string
  readonly cwd: string
}

export type TerminalOpenTool = Tool<TerminalOpenInput, TerminalOpenOutput>

/** @throws TypeError that names the option and the value. */
export function terminalOpenTool(options: TerminalToolOptions): TerminalOpenTool {
  const { terminals, sandboxPolicy } = readTerminalToolOptions(options)
  const { z } = zod()
  const inputSchema = z.object(
    { name: textField('must be a string').optional().describe('A name of its own among the open terminals.') },
    { error: 'must be an object' }
  )
  const render = ({ terminalId, cwd }: TerminalOpenOutput): string => `[terminal ${terminalId} opened in ${cwd}]`
  return {
    name: 'terminal_open',
    description:
      'Opens a persistent bash in a terminal, for interactive programs and for work that keeps its state. ' +
      'Type into it with terminal_send, and close it with terminal_close.',
    inputSchema,
    outputSchema: z.strictObject({ terminalId: z.string(), cwd: z.string() }),
    async execute(given, givenCall) {
      const { name }: TerminalOpenInput = parse(inputSchema, given, 'terminal_open', 'input')
      const { session, owner, signal } = readCall(givenCall)
      checkNotAborted(signal)
      const policy = sessionPolicy(sandboxPolicy, session)
      const opening = terminals.open({ owner, name, cwd: session?.cwd, sandboxPolicy: policy, signal })
      const { id, cwd } = await orAborted(opening, signal)
      return { terminalId: id, cwd }
    },
    render,
    present: (output) => ({ kind: 'generic', title: 'Terminal', body: render(output), isError: false })
  }
}
