// The tools in an MCP server of your own, beside whatever else it offers. Where the tools alone are wanted, `quiesce mcp`
// does the same and more.
//   npm install @modelcontextprotocol/sdk, and in the configuration of a client:
//   { "command": "node", "args": ["/path/to/mcp-server.mjs"] }

import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { CallToolRequestSchema, ErrorCode, ListToolsRequestSchema, McpError } from '@modelcontextprotocol/sdk/types.js'
import { createContext } from 'quiesce'
import { callTool, contextTools, jsonSchemaOf } from 'quiesce/tool'

const cwd = process.cwd()
const ctx = await createContext({ cwd, sandbox: { mode: 'workspace-write' } })
const tools = new Map(contextTools(ctx).map((tool) => [tool.name, tool]))

const server = new Server({ name: 'example', version: '1.0.0' }, { capabilities: { tools: {} } })

server.setRequestHandler(ListToolsRequestSchema, () => ({
  tools: [...tools.values()].map((tool) => ({
    name: tool.name,
    description: tool.description,
    inputSchema: jsonSchemaOf(tool)
  }))
}))

// A request that the client cancels aborts the signal.
server.setRequestHandler(CallToolRequestSchema, async ({ params: { name, arguments: input } }, { signal }) => {
  if (!tools.has(name)) throw new McpError(ErrorCode.InvalidParams, `there is no tool ${name}`)
  const { text, isError } = await callTool(tools.get(name), input, { signal, session: { id: 'main', cwd } })
  return { content: [{ type: 'text', text }], isError }
})

// The client is gone: so is what ran for it.
process.stdin.on('end', async () => {
  await server.close()
  await ctx.dispose()
  process.exit()
})

await server.connect(new StdioServerTransport())
