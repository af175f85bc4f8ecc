// What a policy lets a command write to.

import { resolvedPath } from './canonical-path.js'
import { checkPolicy } from './policy-checks.js'
import type { SandboxExecutionPolicy } from './types.js'

/** Those of the temporary folders that exist: nobody asked for them by name. */
function temporaryFolders(): string[] {
  // As os.tmpdir() on these systems, which takes longer than all the rest here.
  const { TMPDIR, TMP, TEMP } = process.env
  const places = new Set(['/tmp', TMPDIR || TMP || TEMP || '/tmp'])
  return [...places].flatMap((path) => resolvedPath(path) ?? [])
}

/**
 * Canonical, each once: in `workspace-write` the workspace, the policy's own roots, `/tmp` and the temporary folder of the
 * system; otherwise none. A root that does not exist stays as it is spelled, and the backend refuses it.
 */
export function writableRoots(given: SandboxExecutionPolicy): string[] {
  const policy = checkPolicy('policy', given)
  if (policy.mode !== 'workspace-write') return []
  const asked = [policy.workspaceRoot, ...(policy.writableRoots ?? [])].map((path) => resolvedPath(path) ?? path)
  return [...new Set([...asked, ...temporaryFolders()])]
}
