// The official SDK of the Model Context Protocol, loaded when a server is wanted. It brings a web framework and some ninety
// packages along, which a program that runs commands has no use for: it is a peer that one installs for this alone.

import type { Server } from '@modelcontextprotocol/sdk/server/index.js'

type Servers = typeof import('@modelcontextprotocol/sdk/server/index.js')
type Stdio = typeof import('@modelcontextprotocol/sdk/server/stdio.js')
type Types = typeof import('@modelcontextprotocol/sdk/types.js')

export type McpSdk = Pick<Servers, 'Server'> &
  Pick<Stdio, 'StdioServerTransport'> &
  Pick<Types, 'CallToolRequestSchema' | 'ListToolsRequestSchema' | 'McpError' | 'ErrorCode'>

export type McpServer = Server

/** The SDK is not installed where this package can find it, or not one that this package can use. */
export class McpSdkUnavailableError extends Error {
  readonly code = 'MCP_SDK_UNAVAILABLE'

  constructor(cause: unknown) {
    const reason = cause instanceof Error ? cause.message.split('\n')[0] : String(cause)
    super(
      `an MCP server needs the package @modelcontextprotocol/sdk (1.x), which could not be loaded: ${reason}. ` +
        'Install it beside quiesce: npm install @modelcontextprotocol/sdk',
      { cause }
    )
    this.name = 'McpSdkUnavailableError'
  }
}

/** @throws McpSdkUnavailableError that says how to get it. */
export async function loadMcpSdk(): Promise<McpSdk> {
  try {
    const [{ Server }, { StdioServerTransport }, types] = await Promise.all([
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/stdio.js'),
      import('@modelcontextprotocol/sdk/types.js')
    ])
    const { CallToolRequestSchema, ListToolsRequestSchema, McpError, ErrorCode } = types
    return { Server, StdioServerTransport, CallToolRequestSchema, ListToolsRequestSchema, McpError, ErrorCode }
  } catch (error) {
    throw new McpSdkUnavailableError(error)
  }
}
