// The six tools by which a model deals with persistent terminals.

import type { TerminalToolOptions } from './options.js'
import { type TerminalCloseTool, terminalCloseTool } from './terminal-close.js'
import { type TerminalListTool, terminalListTool } from './terminal-list.js'
import { type TerminalOpenTool, terminalOpenTool } from './terminal-open.js'
import { type TerminalReadTool, terminalReadTool } from './terminal-read.js'
import { type TerminalSendTool, terminalSendTool } from './terminal-send.js'
import { type TerminalSignalTool, terminalSignalTool } from './terminal-signal.js'

export type TerminalTools = readonly [
  TerminalOpenTool,
  TerminalSendTool,
  TerminalReadTool,
  TerminalSignalTool,
  TerminalCloseTool,
  TerminalListTool
]

/** @throws TypeError or RangeError that names the option and the value. */
export function terminalTools(options: TerminalToolOptions): TerminalTools {
  return [
    terminalOpenTool(options),
    terminalSendTool(options),
    terminalReadTool(options),
    terminalSignalTool(options),
    terminalCloseTool(options),
    terminalListTool(options)
  ]
}
