// One call from a model's arguments to the text that it gets back: what every adapter to a vendor or protocol needs.

import { ToolAbortError } from './abort.js'
import type { Tool, ToolCall, ToolPresentation } from './types.js'

export interface ToolResult<Output = unknown> {
  /** For the model. */
  readonly text: string
  /** The call had no result: `text` says why. A command that ran and failed is a result and no error. */
  readonly isError: boolean
  /** Absent with `isError`. */
  readonly output?: Output
  readonly presentation: ToolPresentation
}

const noSuchTool = 'there is no tool of this name'

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** An error as a person sees it. */
export function presentError(error: unknown, title: string): ToolPresentation {
  return { kind: 'generic', title, body: textOf(error), isError: true }
}

/**
 * Executes and renders. An error becomes a result with `isError`, since the model is to read it; so does the lack of a tool,
 * which is what a model's own idea of a name finds: `callTool(tools.get(name), …)`.
 * @throws ToolAbortError: nobody waits for a result any more.
 */
export async function callTool<Output>(
  tool: Tool<unknown, Output> | undefined,
  input: unknown,
  call?: ToolCall
): Promise<ToolResult<Output>> {
  if (tool === undefined)
    return { text: noSuchTool, isError: true, presentation: presentError(noSuchTool, 'tool call') }
  try {
    const output = await tool.execute(input, call)
    return { text: tool.render(output), isError: false, output, presentation: tool.present(output, input) }
  } catch (error) {
    if (error instanceof ToolAbortError) throw error
    return { text: textOf(error), isError: true, presentation: presentError(error, tool.name) }
  }
}
