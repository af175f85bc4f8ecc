// One mechanism of confinement as the choice between them sees it.

import type { PreparedConfinement } from '../../subprocess/prepared-confinement.js'
import type { RunnerFailureRule, SandboxEnforcement } from '../types.js'
import type { SandboxProfile } from './profile.js'

/** Why a backend cannot be used; its message is the reason that users read. */
export class BackendProblem extends Error {
  readonly remedy: string | undefined

  constructor(reason: string, remedy?: string) {
    super(reason)
    this.name = 'BackendProblem'
    this.remedy = remedy
  }
}

/** How much a backend enforces here. */
export interface Strength {
  readonly enforcement: SandboxEnforcement
  readonly notGoverned: readonly string[]
}

export const fullStrength: Strength = Object.freeze({ enforcement: 'full', notGoverned: Object.freeze([]) })

export interface SandboxBackend {
  readonly name: string
  readonly denialSignatures: readonly string[]
  /** They may depend on what it enforces: a weaker one may be told with every command. */
  runnerFailureRules(strength: Strength): readonly RunnerFailureRule[]
  /** What this mechanism can never do of what the profile asks; `null` if it can do all. */
  refusal(profile: SandboxProfile): string | null
  /** The absolute path of its program for that profile. @throws BackendProblem */
  locate(profile: SandboxProfile, signal: AbortSignal): Promise<string>
  /** What stands before the argv of a command. */
  prefix(program: string, profile: SandboxProfile): readonly string[]
  /** A command that tells how much can be enforced, and how its output is read; absent: what confines at all is full. */
  readonly report?: {
    argv(program: string, profile: SandboxProfile): readonly string[]
    /** `null` if it says nothing of the kind. */
    read(output: string): Strength | null
  }
  /** The way past its program that the native core can take where the backend is full. */
  shortcut?(prefix: readonly string[], argv: readonly string[]): PreparedConfinement
  /** What weakens it under this profile, seen without trying. */
  warnings?(profile: SandboxProfile): readonly string[]
}
