// What a model is told about its sandbox after a command: a denial with the way to a wider mode, or a runner that failed.

import { escalationTargets } from '../../sandbox/escalation.js'
import { sandboxModes } from '../../sandbox/policy-checks.js'
import type { ShellSandboxInfo } from '../../shell/types.js'

/** None where nothing was denied. */
export function sandboxNotes(sandbox: ShellSandboxInfo | undefined): readonly string[] {
  if (sandbox === undefined) return []
  const { mode, denied, runnerFailed } = sandbox
  if (runnerFailed) return [`[sandbox: the runner failed under ${mode} mode; the command did not run]`]
  if (!denied) return []
  const wider = escalationTargets.filter((target) => sandboxModes.indexOf(target) > sandboxModes.indexOf(mode))
  const note = `[sandbox: file access denied under ${mode} mode]`
  if (wider.length === 0) return [note]
  return [note, `[to ask for a wider mode: sandbox_permissions ${wider.join(' or ')}, with a justification]`]
}
