// A server of the protocol over a list of tools. Cancelling a request aborts the signal of its call; so does the end of the
// connection, which the SDK tells every request that is still open.

import type { Tool, ToolSession } from '../tool/types.js'
import { approverOf } from './approver.js'
import { performCall } from './calls.js'
import { listed } from './listing.js'
import { whileCalling } from './progress.js'
import type { McpSdk, McpServer } from './sdk.js'

export interface McpServerOptions {
  readonly version: string
  readonly tools: readonly Tool[]
  readonly session: ToolSession
  /** Told to the model once, when it connects. */
  readonly instructions: string
}

export function makeServer(sdk: McpSdk, { version, tools, session, instructions }: McpServerOptions): McpServer {
  const server = new sdk.Server({ name: 'quiesce', version }, { capabilities: { tools: {} }, instructions })
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const list = { tools: tools.map(listed) }
  server.setRequestHandler(sdk.ListToolsRequestSchema, () => list)
  server.setRequestHandler(sdk.CallToolRequestSchema, ({ params }, extra) => {
    const tool = byName.get(params.name)
    if (tool === undefined) {
      const known = [...byName.keys()].join(', ')
      throw new sdk.McpError(
        sdk.ErrorCode.InvalidParams,
        `there is no tool ${JSON.stringify(params.name)}; there are ${known}`
      )
    }
    const call = { signal: extra.signal, session, approver: approverOf(server) }
    return whileCalling(extra, () => performCall(tool, params.arguments ?? {}, call))
  })
  return server
}
