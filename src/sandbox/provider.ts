// The sandbox seam: argv and a policy in, argv that confines itself out. Nothing is started here.

import type { ConfinedArgv, SandboxExecutionPolicy } from './types.js'

export abstract class SandboxProvider {
  /**
   * Wraps `argv` so that it runs under `policy`, or fails: a provider that cannot do all of what the policy asks rejects
   * with a `SandboxUnavailableError`. Rejects with the reason of `signal` once that aborts.
   */
  abstract confine(argv: readonly string[], policy: SandboxExecutionPolicy, signal?: AbortSignal): Promise<ConfinedArgv>

  /** Gives back what is kept between calls. Commands that still run are not ended. */
  dispose?(): Promise<void>
}
