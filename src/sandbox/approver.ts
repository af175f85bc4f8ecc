// Who decides about a wider mode for one call. Others implement it: a person at a terminal, a rule, a service.

import type { SandboxMode } from './types.js'

/** All but the first leave the command unrun. */
export type ApprovalOutcome = 'allowed-once' | 'rejected' | 'cancelled' | 'unavailable'

export interface ApprovalRequest {
  /** Who asks, as the caller gave it. */
  readonly agent: unknown
  readonly mode: SandboxMode
  /** For people: `escalate sandbox to <mode>: <justification>`. */
  readonly text: string
  readonly signal?: AbortSignal | undefined
}

export interface SandboxApprover {
  requestApproval(request: ApprovalRequest): ApprovalOutcome | Promise<ApprovalOutcome>
}
