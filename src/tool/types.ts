// What a tool is, and what a call brings along: small ports that know no model vendor.

import type { SandboxApprover } from '../sandbox/approver.js'
import type { SandboxSession } from '../sandbox/session.js'

/** Who calls. */
export interface ToolSession extends Partial<Omit<SandboxSession, 'id' | 'cwd'>> {
  readonly id: string
  /** Base of relative working folders, and the working folder of commands without one; absolute. */
  readonly cwd?: string | undefined
}

export interface ToolCall {
  /** Ends the call, and with it whatever it has started and not yet told the id of. The call rejects with a `ToolAbortError`. */
  readonly signal?: AbortSignal | undefined
  /** Owner of the jobs of this call. Without one, jobs belong to nobody and are open to everybody. */
  readonly session?: ToolSession | undefined
  /** Decides about a wider sandbox mode for this call. */
  readonly approver?: SandboxApprover | undefined
}

/** A tool result for people: a terminal card or plain text. */
export interface ToolPresentation {
  readonly kind: 'terminal' | 'generic'
  readonly title: string
  readonly body: string
  /** For a terminal: how it ended, such as `exit 1`. Comes from facts; the body is never read for it. */
  readonly pill?: string | undefined
  readonly isError: boolean
}

/** A tool as plain data and functions; the schemas are zod's. */
export interface Tool<Input = unknown, Output = unknown> {
  readonly name: string
  readonly description: string
  /** What a model may send. `execute` checks that by itself. */
  readonly inputSchema: import('zod').ZodType<Input>
  readonly outputSchema: import('zod').ZodType<Output>
  /**
   * Keys of `input` that are not known are ignored.
   * @throws an error that is the call's result: a `TypeError` or `RangeError` that names the value, `ToolAbortError`, an
   * escalation that was refused, a failed start.
   */
  execute(input: unknown, call?: ToolCall): Promise<Output>
  /** The result as the model reads it. */
  render(output: Output): string
  /** The result as a person sees it; `input` gives the title. */
  present(output: Output, input?: unknown): ToolPresentation
}
