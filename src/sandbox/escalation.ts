// A wider mode for one call: checked, asked for, and refused unless somebody allowed exactly this.

import { invalidType } from '../errors/invalid-input.js'
import { checkSignal, hasFields, isObject } from '../subprocess/preflight-values.js'
import type { ApprovalOutcome, SandboxApprover } from './approver.js'
import { EscalationError } from './escalation-error.js'
import { checkPolicy, sandboxModes } from './policy-checks.js'
import type { SandboxExecutionPolicy, SandboxMode } from './types.js'

export interface EscalationRequest {
  /** What holds without the escalation; absent where the executor does not confine. */
  readonly policy: SandboxExecutionPolicy | undefined
  /** The mode that is asked for. */
  readonly mode?: SandboxMode | undefined
  /** Why, for whoever decides. */
  readonly justification?: string | undefined
  readonly approver?: SandboxApprover | undefined
  /** On whose behalf; handed to the approver as it is. */
  readonly agent?: unknown
  readonly signal?: AbortSignal | undefined
}

/** The modes that can be asked for. Whether one is wider than what holds is checked at each call. */
export const escalationTargets: readonly SandboxMode[] = ['workspace-write', 'danger-full-access']

interface Wish {
  readonly policy: SandboxExecutionPolicy
  readonly mode: SandboxMode
  readonly justification: string
}

/** Mode and justification travel together. `null`: no escalation was asked for. */
function wishOf({ policy, mode, justification }: EscalationRequest): Wish | null {
  if (mode === undefined && justification === undefined) return null
  if (mode === undefined) throw new EscalationError('invalid', 'invalid escalation: a justification needs a mode')
  if (justification === undefined) {
    throw new EscalationError('invalid', 'invalid justification: an escalation needs one')
  }
  if (typeof justification !== 'string' || justification.trim() === '') {
    throw new EscalationError('invalid', 'invalid justification: it must not be blank')
  }
  if (!escalationTargets.includes(mode)) {
    throw new EscalationError('invalid', `invalid escalation: the mode must be ${escalationTargets.join(' or ')}`)
  }
  if (policy === undefined) {
    throw new EscalationError('unsupported', 'invalid escalation: commands are not confined here')
  }
  return { policy: checkPolicy('request.policy', policy), mode, justification }
}

const isWider = (mode: SandboxMode, than: SandboxMode): boolean =>
  sandboxModes.indexOf(mode) > sandboxModes.indexOf(than)

const refusals: Readonly<Record<Exclude<ApprovalOutcome, 'allowed-once'>, string>> = {
  rejected: 'was rejected',
  cancelled: 'was cancelled before it was decided',
  unavailable: 'could not be decided: whoever approves gave no decision'
}

function refused(
  mode: SandboxMode,
  outcome: Exclude<ApprovalOutcome, 'allowed-once'>,
  words: string = refusals[outcome],
  cause?: unknown
): EscalationError {
  return new EscalationError(outcome, `the escalation of the sandbox to ${mode} ${words}`, { cause })
}

const isOutcome = (outcome: unknown): outcome is ApprovalOutcome =>
  outcome === 'allowed-once' || Object.hasOwn(refusals, String(outcome))

async function ask({ mode, justification }: Wish, request: EscalationRequest): Promise<ApprovalOutcome> {
  const { approver, agent, signal } = request
  if (approver === undefined) throw refused(mode, 'unavailable', 'cannot be decided: there is nobody who approves')
  if (agent === undefined) throw refused(mode, 'unavailable', 'cannot be decided: there is no agent to ask for')
  if (signal?.aborted) return 'cancelled'
  const text = `escalate sandbox to ${mode}: ${justification}`
  const outcome: unknown = await approver.requestApproval({ agent, mode, text, signal })
  // A grant that comes after the call was called off is none.
  if (signal?.aborted) return 'cancelled'
  return isOutcome(outcome) ? outcome : 'unavailable'
}

function checkApprover(approver: unknown): void {
  if (approver === undefined) return
  if (isObject(approver) && typeof approver.requestApproval === 'function') return
  throw invalidType('request.approver', approver, 'must be a SandboxApprover')
}

/**
 * The policy for one call: with the wider mode if that was allowed, or as it is if none was asked for, or only the mode
 * that holds anyway. Records nothing and changes no default.
 * @throws EscalationError otherwise. Nothing is to be run then.
 */
export async function approveEscalation(given: EscalationRequest): Promise<SandboxExecutionPolicy | undefined> {
  if (!hasFields(given)) throw invalidType('request', given, 'must be an object')
  const request: EscalationRequest = { ...given }
  checkSignal('request.signal', request.signal)
  checkApprover(request.approver)
  const wish = wishOf(request)
  if (wish === null) return request.policy
  const { policy, mode } = wish
  if (mode === policy.mode) return policy
  if (!isWider(mode, policy.mode)) {
    throw new EscalationError('invalid', `invalid escalation: ${mode} is not wider than ${policy.mode}`)
  }
  const outcome = await ask(wish, request).catch((error: unknown) => {
    if (error instanceof EscalationError) throw error
    throw refused(mode, request.signal?.aborted ? 'cancelled' : 'unavailable', undefined, error)
  })
  if (outcome !== 'allowed-once') throw refused(mode, outcome)
  return checkPolicy('policy', { ...policy, mode })
}
