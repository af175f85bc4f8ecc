// Asks the person behind the client about a wider sandbox mode, where the client can ask (elicitation). Whatever is not a
// clear yes is a no.

import type { ApprovalOutcome, ApprovalRequest, SandboxApprover } from '../sandbox/approver.js'
import type { McpServer } from './sdk.js'

const requestedSchema = {
  type: 'object' as const,
  properties: { allow: { type: 'boolean' as const, title: 'Allow it for this command' } },
  required: ['allow']
}

async function ask(server: McpServer, { text, signal }: ApprovalRequest): Promise<ApprovalOutcome> {
  try {
    const answer = await server.elicitInput(
      { message: text, requestedSchema },
      { ...(signal && { signal }), timeout: answerWithinMs }
    )
    if (answer.action === 'accept') return answer.content?.allow === true ? 'allowed-once' : 'rejected'
    return answer.action === 'cancel' ? 'cancelled' : 'rejected'
  } catch {
    // A client that goes away, refuses the question or never answers it.
    return signal?.aborted ? 'cancelled' : 'unavailable'
  }
}

/** A person may be away from the keyboard for a while. */
const answerWithinMs = 10 * 60_000

/** `undefined` where the client has nobody to ask. */
export function approverOf(server: McpServer): SandboxApprover | undefined {
  if (server.getClientCapabilities()?.elicitation === undefined) return undefined
  return { requestApproval: (request) => ask(server, request) }
}
