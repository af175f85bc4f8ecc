// What a call brings along, each field looked at once. It comes from the host, not from a model.

import { invalidType } from '../errors/invalid-input.js'
import type { SandboxApprover } from '../sandbox/approver.js'
import { checkSignal, checkText, hasFields, isObject } from '../subprocess/preflight-values.js'
import type { ToolSession } from './types.js'

export interface CheckedCall {
  readonly signal: AbortSignal | undefined
  readonly session: ToolSession | undefined
  /** Owner of the call's jobs. */
  readonly owner: string | undefined
  readonly approver: SandboxApprover | undefined
}

function checkSession(session: unknown): asserts session is ToolSession | undefined {
  if (session === undefined) return
  if (!isObject(session)) throw invalidType('call.session', session, 'must be an object')
  const { id, cwd } = session
  checkText('call.session.id', id)
  if (id === '') throw invalidType('call.session.id', id, 'must not be empty')
  if (cwd !== undefined) checkText('call.session.cwd', cwd)
  if (cwd === '') throw invalidType('call.session.cwd', cwd, 'must not be empty')
}

/** @throws TypeError that names the field and the value. */
export function readCall(call: unknown = {}): CheckedCall {
  if (!hasFields(call)) throw invalidType('call', call, 'must be an object')
  const { signal, session, approver } = call
  checkSignal('call.signal', signal)
  checkSession(session)
  return { signal, session, owner: session?.id, approver: approver as SandboxApprover | undefined }
}
