// The executor that confines: each command under the policy of its request, or else the one of the deployment. Where that
// cannot be done the command does not run.

import { invalidType } from '../errors/invalid-input.js'
import { checkPolicy } from '../sandbox/policy-checks.js'
import type { SandboxProvider } from '../sandbox/provider.js'
import type { SandboxExecutionPolicy, SandboxMode } from '../sandbox/types.js'
import { hasFields, isObject } from '../subprocess/preflight-values.js'
import type { PreparedCommand } from './bash-command.js'
import { confinedCommand } from './confined-command.js'
import { LocalBashExecutor, type LocalBashOptions } from './local-bash.js'
import type { Preparation } from './preparation.js'
import type { ShellExecSpec } from './types.js'

export interface SandboxBashOptions extends LocalBashOptions {
  readonly sandbox: SandboxProvider
  /** Of requests that name none; a function is asked at each `resolve`. */
  readonly policy: SandboxExecutionPolicy | (() => SandboxExecutionPolicy)
}

export class SandboxBashExecutor extends LocalBashExecutor {
  readonly #sandbox: SandboxProvider
  readonly #policy: () => SandboxExecutionPolicy

  /** @throws TypeError or RangeError that names the option and the value. */
  constructor(options: SandboxBashOptions) {
    if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
    const { sandbox, policy, ...local } = options
    if (!isObject(sandbox) || typeof sandbox.confine !== 'function') {
      throw invalidType('sandbox', sandbox, 'must be a SandboxProvider')
    }
    super(local)
    this.#sandbox = sandbox
    const fixed = typeof policy === 'function' ? undefined : checkPolicy('policy', policy)
    this.#policy = typeof policy === 'function' ? policy : () => fixed as SandboxExecutionPolicy
  }

  override get sandboxMode(): SandboxMode {
    return this.#policy().mode
  }

  protected override policyOf(given: SandboxExecutionPolicy | undefined, option: string): SandboxExecutionPolicy {
    return given === undefined ? checkPolicy('policy', this.#policy()) : checkPolicy(option, given)
  }

  protected override prepare(
    spec: ShellExecSpec,
    preparation: Preparation
  ): PreparedCommand | Promise<PreparedCommand> {
    return confinedCommand(
      spec.command,
      this.#sandbox,
      this.policyOf(spec.sandboxPolicy, 'spec.sandboxPolicy'),
      preparation
    )
  }
}
