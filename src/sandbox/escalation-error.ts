// The error of a wider mode that a call does not get.

import type { ApprovalOutcome } from './approver.js'

/** `invalid`: it was asked for wrongly. `unsupported`: commands are not confined here. Otherwise what was decided. */
export type EscalationRefusal = 'invalid' | 'unsupported' | Exclude<ApprovalOutcome, 'allowed-once'>

export class EscalationError extends Error {
  readonly code = 'ESCALATION_REFUSED'
  readonly refusal: EscalationRefusal

  constructor(refusal: EscalationRefusal, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'EscalationError'
    this.refusal = refusal
  }
}
