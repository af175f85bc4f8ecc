// terminal_signal: a signal for what is in the foreground of a terminal.

import type { SubprocessTerminalSignal } from '../../subprocess/terminal-types.js'
import { parse } from '../../validation/parse.js'
import { zod } from '../../validation/zod.js'
import { checkNotAborted } from '../abort.js'
import { readCall } from '../call.js'
import type { Tool } from '../types.js'
import { terminalIdField } from './fields.js'
import { readTerminalToolOptions, type TerminalToolOptions } from './options.js'

export interface TerminalSignalInput {
  readonly terminal_id: string
  readonly signal: SubprocessTerminalSignal
}

export interface TerminalSignalOutput {
  readonly terminalId: string
  readonly signal: SubprocessTerminalSignal
  readonly processGroupId: number
}

export type TerminalSignalTool = Tool<TerminalSignalInput, TerminalSignalOutput>

const signals = ['SIGINT', 'SIGTERM', 'SIGKILL', 'SIGTSTP', 'SIGHUP'] as const

/** @throws TypeError that names the option and the value. */
export function terminalSignalTool(options: TerminalToolOptions): TerminalSignalTool {
  const { terminals } = readTerminalToolOptions(options)
  const { z } = zod()
  const inputSchema = z.object(
    {
      terminal_id: terminalIdField(),
      signal: z.enum(signals, { error: `must be ${signals.join(', ')}` }).describe('SIGINT interrupts.')
    },
    { error: 'must be an object' }
  )
  const render = ({ signal, processGroupId, terminalId }: TerminalSignalOutput): string =>
    `[${signal} sent to process group ${processGroupId} in terminal ${terminalId}]`
  return {
    name: 'terminal_signal',
    description: 'Sends a signal to the program in the foreground of a terminal, such as SIGINT to interrupt it.',
    inputSchema,
    outputSchema: z.strictObject({ terminalId: z.string(), signal: z.enum(signals), processGroupId: z.number() }),
    async execute(given, givenCall) {
      const { terminal_id: id, signal }: TerminalSignalInput = parse(inputSchema, given, 'terminal_signal', 'input')
      const call = readCall(givenCall)
      checkNotAborted(call.signal)
      const processGroupId = terminals.signal({ id, owner: call.owner, signal })
      return { terminalId: id, signal, processGroupId }
    },
    render,
    present: (output) => ({ kind: 'generic', title: output.terminalId, body: render(output), isError: false })
  }
}
