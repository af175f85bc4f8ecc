// terminal_list: the open terminals of the session, a line each.

import type { TerminalSnapshot } from '../../terminal/types.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted } from '../abort.js'
import { readCall } from '../call.js'
import type { Tool } from '../types.js'
import { answer, type ExitFields, exitFields, outcomeFields, shellExitLine } from './fields.js'
import { readTerminalToolOptions, type TerminalToolOptions } from './options.js'

export type TerminalListInput = Readonly<Record<never, never>>

export interface ListedTerminal extends ExitFields {
  readonly terminalId: string
  readonly name?: string | undefined
  readonly cwd: string
  readonly state: TerminalSnapshot['state']
}

export interface TerminalListOutput {
  /** Oldest first. */
  readonly terminals: readonly ListedTerminal[]
}

export type TerminalListTool = Tool<TerminalListInput, TerminalListOutput>

function lineOf(terminal: ListedTerminal): string {
  const { terminalId, name, cwd, state } = terminal
  const named = name === undefined ? '' : ` ${name.replace(/\s+/g, ' ')}`
  return `${terminalId}:${named} in ${cwd} ${state === 'exited' ? shellExitLine(terminal) : `[${state}]`}`
}

/** @throws TypeError that names the option and the value. */
export function terminalListTool(options: TerminalToolOptions): TerminalListTool {
  const { terminals, maxResultBytes } = readTerminalToolOptions(options)
  const { z } = zod()
  const inputSchema = z.object({}, { error: 'must be an object' })
  const state = z.enum(['open', 'sending', 'exited'])
  const listed = { terminalId: z.string(), name: z.string().optional(), cwd: z.string(), state, ...outcomeFields() }
  const render = (output: TerminalListOutput): string =>
    answer(output.terminals.map(lineOf).join('\n') || '(no open terminals)', [], maxResultBytes)
  return {
    name: 'terminal_list',
    description: 'Lists the open terminals of this session, oldest first.',
    inputSchema,
    outputSchema: z.strictObject({ terminals: z.array(z.strictObject(listed)) }),
    async execute(given, givenCall) {
      parse(inputSchema, given, 'terminal_list', 'input')
      const { owner, signal } = readCall(givenCall)
      checkNotAborted(signal)
      const all = terminals.list(owner).map(({ id, name, cwd, state, outcome }) => ({
        terminalId: id,
        ...(name !== undefined && { name }),
        cwd,
        state,
        ...exitFields(outcome)
      }))
      return { terminals: all }
    },
    render,
    present: (output) => ({ kind: 'generic', title: 'Terminals', body: render(output), isError: false })
  }
}
