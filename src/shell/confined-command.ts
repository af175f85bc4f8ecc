// From a command text and a policy to what is spawned: the provider is asked for every mode that confines.

import { checkPolicy } from '../sandbox/policy-checks.js'
import type { SandboxProvider } from '../sandbox/provider.js'
import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import { bashCommand, type PreparedCommand } from './bash-command.js'
import { confinementBy, unconfined } from './confinement.js'

async function confine(
  command: PreparedCommand,
  provider: SandboxProvider,
  policy: SandboxExecutionPolicy,
  signal: AbortSignal
): Promise<PreparedCommand> {
  const confined = await provider.confine(command.argv, policy, signal)
  const { argv, prepared } = confined
  return { ...command, argv, prepared, confinement: confinementBy(confined, policy) }
}

/** Rejects where the policy cannot be kept: there is no way on without it. `signal` is read only if the provider is asked. */
export function confinedCommand(
  text: string,
  provider: SandboxProvider,
  given: SandboxExecutionPolicy,
  terms: { readonly signal: AbortSignal }
): PreparedCommand | Promise<PreparedCommand> {
  const policy = checkPolicy('policy', given)
  const command = bashCommand(text)
  if (policy.mode === 'danger-full-access') return { ...command, confinement: unconfined() }
  return confine(command, provider, policy, terms.signal)
}
