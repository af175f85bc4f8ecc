// One `tools/call` from request to result. What goes wrong inside a tool is a result that says so, which a model can act on;
// only what no tool was asked for is an error of the protocol.

import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { callTool } from '../tool/index.js'
import type { Tool, ToolCall } from '../tool/types.js'

/** Rejects only when the call has been aborted, and then nobody waits for its result any more. */
export async function performCall(tool: Tool, input: unknown, call: ToolCall): Promise<CallToolResult> {
  const { text, isError } = await callTool(tool, input, call)
  return { content: [{ type: 'text', text }], ...(isError && { isError }) }
}
