// What a tool is, and what a call brings along: small ports that know no model vendor.

import type { SandboxApprover } from '../sandbox/approver.js'
import type { SandboxSession } from '../sandbox/session.js'

/** Who calls. */
export interface ToolSession extends Partial<Omit<SandboxSession, 'id' | 'cwd'>> {
  readonly id: string
  /** Base of relative working folders, and the working folder of commands without one. */
  readonly cwd?: string | undefined
}

export interface ToolCall {
  /** Ends the call: a command that no job owns ends with it. */
  readonly signal?: AbortSignal | undefined
  readonly session?: ToolSession | undefined
  /** Decides about a wider sandbox mode for this call. */
  readonly approver?: SandboxApprover | undefined
}

/** A tool result for people: a terminal card or plain text. */
export interface ToolPresentation {
  readonly kind: 'terminal' | 'generic'
  readonly title: string
  readonly body: string
  /** For a terminal: how it ended, such as `exit 1`. */
  readonly pill?: string | undefined
  readonly isError: boolean
}

/** A tool as plain data and functions; the schemas are zod's. */
export interface Tool<Input, Output> {
  readonly name: string
  readonly description: string
  /** What a model may send. */
  readonly inputSchema: import('zod').ZodType<Input>
  readonly outputSchema: import('zod').ZodType<Output>
  /** @throws an error that is the call's result: code `ABORTED`, an escalation that was refused, a failed start. */
  execute(input: unknown, call?: ToolCall): Promise<Output>
  /** The result as the model reads it. */
  render(output: Output): string
  /** The result as a person sees it. */
  present(output: Output): ToolPresentation
}
