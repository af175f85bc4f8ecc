// Under which policy a call runs: that of its session, or for this call alone a wider mode that somebody has approved.

import { approveEscalation } from '../../sandbox/escalation.js'
import type { SandboxExecutionPolicy } from '../../sandbox/types.js'
import { orAborted } from '../abort.js'
import type { CheckedCall } from '../call.js'
import { sessionPolicy } from '../session-policy.js'
import type { BashSetup } from './options.js'
import type { BashInput } from './types.js'

/**
 * `undefined` where commands are not confined.
 * @throws EscalationError, ToolAbortError. Nothing is to be run then.
 */
export function policyOfCall(
  setup: BashSetup,
  input: BashInput,
  { session, approver, signal }: CheckedCall
): Promise<SandboxExecutionPolicy | undefined> {
  const policy = sessionPolicy(setup.sandboxPolicy, session)
  const { sandbox_permissions: mode, justification } = input
  // Whoever decides may not look at the signal.
  return orAborted(approveEscalation({ policy, mode, justification, approver, agent: session, signal }), signal)
}
