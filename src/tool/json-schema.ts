// The schemas of a tool in the form that model vendors and protocols take: zod's own export.

import { zod } from '../validation/zod.js'
import type { Tool } from './types.js'

/** A JSON Schema, draft 2020-12. That of an input has an object at its top. */
export type JsonSchema = Readonly<Record<string, unknown>>

/** What may be sent to the tool, or what its `execute` gives. */
export function jsonSchemaOf(
  tool: Pick<Tool, 'inputSchema' | 'outputSchema'>,
  side: 'input' | 'output' = 'input'
): JsonSchema {
  return zod().z.toJSONSchema(side === 'input' ? tool.inputSchema : tool.outputSchema, { io: side })
}
