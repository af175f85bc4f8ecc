// The tools as `tools/list` tells them. There is no outputSchema: with one a client gets every result twice, as text and as
// data, and a model that is handed both reads its output two times.

import type { Tool as ListedTool, ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import { jsonSchemaOf } from '../tool/index.js'
import type { Tool } from '../tool/types.js'

const looksOnly: ToolAnnotations = { readOnlyHint: true, openWorldHint: false }
const ends: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false }
const runsAnything: ToolAnnotations = { readOnlyHint: false, destructiveHint: true, openWorldHint: true }

const annotations: Readonly<Record<string, ToolAnnotations>> = {
  job_output: looksOnly,
  job_list: looksOnly,
  job_kill: ends
}

export function listed(tool: Tool): ListedTool {
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: jsonSchemaOf(tool) as ListedTool['inputSchema'],
    annotations: annotations[tool.name] ?? runsAnything
  }
}
