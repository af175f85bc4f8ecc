// What could confine commands here, tried as a context would try it.

import { LocalSandboxProvider, type SandboxBackendState } from '../../sandbox/local/local-provider.js'
import { SandboxPolicyService } from '../../sandbox/policy-service.js'
import type { SandboxMode } from '../../sandbox/types.js'
import type { SubprocessRuntime } from '../../subprocess/runtime.js'

export interface SandboxFacts {
  /** What they were tried under. */
  readonly mode: SandboxMode
  readonly workspaceRoot: string
  /** Which one a context takes by itself; `null`: none, and confined commands are refused. */
  readonly backend: string | null
  readonly backends: readonly SandboxBackendState[]
}

/** As a workspace the whole file system cannot be confined to. */
function modeFor(workspaceRoot: string): SandboxMode {
  return workspaceRoot === '/' ? 'read-only' : 'workspace-write'
}

export async function sandboxFacts(subprocess: SubprocessRuntime): Promise<SandboxFacts> {
  const { workspaceRoot } = new SandboxPolicyService().policyFor()
  const policy = new SandboxPolicyService({ mode: modeFor(workspaceRoot) }).policyFor()
  const provider = new LocalSandboxProvider({ subprocess })
  try {
    const backends = await provider.inspect(policy)
    const used =
      backends.find(({ enforcement }) => enforcement === 'full') ??
      backends.find(({ enforcement }) => enforcement !== null)
    return { mode: policy.mode, workspaceRoot, backend: used?.backend ?? null, backends }
  } finally {
    await provider.dispose()
  }
}
