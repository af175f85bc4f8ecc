// What is served: the tools of a context, who calls them, and what a model is told about the place when it connects.

import type { Context } from '../context/compose-context.js'
import { contextTools } from '../tool/index.js'
import type { McpServerOptions } from './server.js'

/** One client at a time is at the other end of stdio, so all jobs have one owner. */
const sessionId = 'mcp'

export function toolsOf(context: Context, cwd: string): Pick<McpServerOptions, 'tools' | 'session' | 'instructions'> {
  const mode = context.shell.sandboxMode ?? 'danger-full-access'
  return {
    tools: contextTools(context),
    session: { id: sessionId, cwd },
    instructions: `Commands run by bash in ${cwd}, in the sandbox mode ${mode}. Background jobs end with this connection.`
  }
}
