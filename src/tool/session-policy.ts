// The policy that holds for a session by what is recorded of it, as tools know sessions.

import type { SandboxPolicyService } from '../sandbox/policy-service.js'
import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import type { ToolSession } from './types.js'

/** `undefined` where nothing is confined. */
export function sessionPolicy(
  service: Pick<SandboxPolicyService, 'policyFor'> | undefined,
  session: ToolSession | undefined
): SandboxExecutionPolicy | undefined {
  if (session === undefined) return service?.policyFor()
  const { id, cwd, sandboxModes = [] } = session
  return service?.policyFor({ id, cwd, sandboxModes, append: () => {} })
}
