// One backend under one profile: can it be used here, and how much does it enforce.

import type { PreparedConfinement } from '../../subprocess/prepared-confinement.js'
import type { SubprocessRuntime } from '../../subprocess/runtime.js'
import type { RunnerFailureRule } from '../types.js'
import type { SandboxAttempt } from '../unavailable.js'
import { BackendProblem, fullStrength, type SandboxBackend, type Strength } from './backend.js'
import { openDoors } from './doors.js'
import { sandboxHost } from './host.js'
import { failureOf, type ProbeTerms, runProbe } from './probe-run.js'
import type { SandboxProfile } from './profile.js'
import { remedyFor } from './remedies.js'
import { replaceable } from './replaceable.js'
import { type Trial, tryBackend } from './trial.js'

/** A backend that was tried and found to confine. */
export interface UsableBackend extends Strength {
  readonly backend: SandboxBackend
  readonly prefix: readonly string[]
  readonly runnerFailureRules: readonly RunnerFailureRule[]
  readonly warnings: readonly string[]
  /** Absent where there is none, or where it was tried and did not work. */
  readonly shortcut?: (argv: readonly string[]) => PreparedConfinement
}

export type Examination = UsableBackend | SandboxAttempt

export const isUsable = (found: Examination): found is UsableBackend => 'prefix' in found

export interface ExaminationTerms {
  readonly subprocess: SubprocessRuntime
  readonly timeoutMs: number
  readonly signal: AbortSignal
}

async function askStrength(
  { report }: SandboxBackend,
  program: string,
  profile: SandboxProfile,
  terms: ProbeTerms
): Promise<Strength> {
  if (report === undefined) return fullStrength
  const end = await runProbe(report.argv(program, profile), terms)
  const strength = end.exitCode === 0 ? report.read(`${end.stdout}\n${end.stderr}`) : null
  if (strength === null) throw new BackendProblem(failureOf(end))
  return strength
}

/** The short way where it works, otherwise the long one. */
async function tryBothWays(
  trial: Omit<Trial, 'short'>,
  { enforcement }: Strength
): Promise<SandboxBackend['shortcut']> {
  const { shortcut } = trial.backend
  if (shortcut !== undefined && enforcement === 'full') {
    try {
      await tryBackend({ ...trial, short: true })
      return shortcut
    } catch {
      trial.terms.signal.throwIfAborted()
    }
  }
  await tryBackend({ ...trial, short: false })
  return undefined
}

async function use(backend: SandboxBackend, profile: SandboxProfile, terms: ProbeTerms): Promise<UsableBackend> {
  const refusal = backend.refusal(profile)
  if (refusal !== null) throw new BackendProblem(refusal)
  const program = await backend.locate(profile, terms.signal)
  const strength = await askStrength(backend, program, profile, terms)
  const short = await tryBothWays({ backend, program, profile, terms }, strength)
  const prefix = backend.prefix(program, profile)
  const own = backend.warnings?.(profile) ?? []
  const warnings = [...replaceable(program, profile), ...openDoors(profile), ...own]
  const shortcut = short === undefined ? {} : { shortcut: (argv: readonly string[]) => short(prefix, argv) }
  const runnerFailureRules = backend.runnerFailureRules(strength)
  return { ...strength, backend, prefix, runnerFailureRules, warnings, ...shortcut }
}

/** Rejects only with the reason of the signal; whatever else fails makes the backend unusable. */
export async function examine(
  backend: SandboxBackend,
  profile: SandboxProfile,
  terms: ExaminationTerms
): Promise<Examination> {
  try {
    return await use(backend, profile, { ...terms, startedAt: performance.now() })
  } catch (error) {
    terms.signal.throwIfAborted()
    const reason = error instanceof Error ? error.message : String(error)
    const remedy = error instanceof BackendProblem ? error.remedy : undefined
    return { backend: backend.name, reason, remedy: remedy ?? remedyFor(backend.name, reason, sandboxHost()) }
  }
}
