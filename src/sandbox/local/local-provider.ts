// The provider of this host's own mechanisms. A backend is chosen by what it is seen to do, once for each profile.

import { invalidType } from '../../errors/invalid-input.js'
import { checkSignal, checkText, throwIfAborted } from '../../subprocess/preflight-values.js'
import { checkPolicy } from '../policy-checks.js'
import { SandboxProvider } from '../provider.js'
import type { ConfinedArgv, SandboxEnforcement, SandboxExecutionPolicy } from '../types.js'
import { SandboxUnavailableError } from '../unavailable.js'
import type { SandboxBackend } from './backend.js'
import type { SandboxBackendName } from './backend-name.js'
import { bwrapBackend, type FindProgram } from './bwrap-backend.js'
import { Choices } from './choice.js'
import { examine, isUsable } from './examination.js'
import { operatorBackend } from './operator-backend.js'
import { checkLocalOptions, type LocalSandboxOptions } from './options.js'
import { profileOf, type SandboxProfile } from './profile.js'
import { Replaced } from './replaced.js'
import { landlockBackend, nativeBackend } from './runner-backends.js'
import { seatbeltBackend } from './seatbelt-backend.js'

/** The state of one backend under one policy. */
export interface SandboxBackendState {
  readonly backend: string
  /** `null`: it cannot be used, and `reason` says why. */
  readonly enforcement: SandboxEnforcement | null
  readonly notGoverned: readonly string[]
  readonly warnings: readonly string[]
  readonly reason?: string | undefined
  readonly remedy?: string | undefined
}

function backendsOf(options: LocalSandboxOptions, find: FindProgram): SandboxBackend[] {
  const { runnerCommand = [], runnerFailureSignatures = [] } = options
  if (runnerCommand.length > 0) {
    return [operatorBackend({ command: runnerCommand, failureSignatures: runnerFailureSignatures }, find)]
  }
  const all: Record<SandboxBackendName, SandboxBackend> = {
    native: nativeBackend,
    bwrap: bwrapBackend(find),
    landlock: landlockBackend,
    seatbelt: seatbeltBackend
  }
  const usual: readonly SandboxBackendName[] =
    process.platform === 'darwin' ? ['seatbelt'] : ['native', 'bwrap', 'landlock']
  return (options.backends ?? usual).map((name) => all[name])
}

/** A copy of the argv. */
function checkArgv(argv: unknown): string[] {
  const copy: unknown[] = Array.isArray(argv) ? [...argv] : []
  if (copy.length === 0) throw invalidType('argv', argv, 'must be a list that begins with a program')
  for (const [index, text] of copy.entries()) checkText('argv', text, index)
  return copy as string[]
}

function checkConfined(policy: unknown): SandboxExecutionPolicy {
  const sound = checkPolicy('policy', policy)
  if (sound.mode !== 'danger-full-access') return sound
  throw invalidType('policy.mode', sound.mode, 'is not confined, so that no provider is to be asked')
}

export class LocalSandboxProvider extends SandboxProvider {
  readonly #backends: readonly SandboxBackend[]
  readonly #choices: Choices
  readonly #terms: { readonly subprocess: LocalSandboxOptions['subprocess']; readonly timeoutMs: number }
  readonly #replaced = new Replaced()
  #disposed = false

  /** Starts nothing. @throws TypeError or RangeError that names the option and the value. */
  constructor(options: LocalSandboxOptions) {
    super()
    const own = checkLocalOptions(options)
    const { subprocess, probeTimeoutMs = 5_000 } = own
    this.#backends = backendsOf(own, (name, signal) => subprocess.resolveExecutable(name, undefined, signal))
    this.#terms = { subprocess, timeoutMs: probeTimeoutMs }
    this.#choices = new Choices(this.#backends, this.#terms)
  }

  async confine(given: readonly string[], policy: SandboxExecutionPolicy, signal?: AbortSignal): Promise<ConfinedArgv> {
    const argv = checkArgv(given)
    const profile = this.#profileOf(checkConfined(policy), signal)
    const pending = this.#choices.for(profile, signal)
    const choice = pending instanceof Promise ? await pending : pending
    if ('attempts' in choice) throw new SandboxUnavailableError({ mode: profile.mode, attempts: choice.attempts })
    const { backend, enforcement, notGoverned, runnerFailureRules, warnings, prefix } = choice
    return {
      argv: [...prefix, ...argv],
      enforcement,
      backend: backend.name,
      notGoverned,
      denialSignatures: backend.denialSignatures,
      runnerFailureRules,
      ...(warnings.length > 0 && { warnings }),
      ...(choice.shortcut && { prepared: choice.shortcut(argv) })
    }
  }

  /** Tries every backend under `policy`, in order, whatever is remembered. */
  async inspect(policy: SandboxExecutionPolicy, signal?: AbortSignal): Promise<readonly SandboxBackendState[]> {
    const profile = this.#profileOf(checkConfined(policy), signal)
    const own = signal ?? new AbortController().signal
    const states: SandboxBackendState[] = []
    for (const backend of this.#backends) {
      const found = await examine(backend, profile, { ...this.#terms, signal: own })
      const { enforcement, notGoverned, warnings } = isUsable(found)
        ? found
        : { enforcement: null, notGoverned: [], warnings: [] }
      const problem = isUsable(found) ? {} : { reason: found.reason, ...(found.remedy && { remedy: found.remedy }) }
      states.push({ backend: backend.name, enforcement, notGoverned, warnings, ...problem })
    }
    return states
  }

  override async dispose(): Promise<void> {
    this.#disposed = true
    this.#choices.cancel(new Error('the sandbox provider has been disposed'))
  }

  #profileOf(policy: SandboxExecutionPolicy, signal: AbortSignal | undefined): SandboxProfile {
    checkSignal('signal', signal)
    throwIfAborted(signal)
    if (this.#disposed) throw new Error('the sandbox provider has been disposed')
    const profile = profileOf(policy)
    const reason = profile.roots.includes('/')
      ? 'the folder / as a writable root leaves nothing to confine'
      : this.#replaced.reason(policy, profile)
    if (reason === null) return profile
    throw new SandboxUnavailableError({ mode: profile.mode, attempts: [{ backend: 'all', reason }] })
  }
}
