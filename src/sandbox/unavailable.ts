// The error of a command that could not be confined and was therefore not run.

import type { SandboxMode } from './types.js'

/** Why one backend is not used, and what to do about it where that is known. */
export interface SandboxAttempt {
  readonly backend: string
  readonly reason: string
  readonly remedy?: string | undefined
}

export interface SandboxUnavailability {
  readonly mode: SandboxMode
  readonly attempts: readonly SandboxAttempt[]
  /** What a runner said that failed when the command was to be run. */
  readonly runnerFailure?: string | undefined
}

const remedyOf = ({ remedy }: SandboxAttempt): string => (remedy === undefined ? '' : `; ${remedy}`)

const general = 'Install bubblewrap (Debian: apt-get install bubblewrap) or use a kernel with Landlock; '

function describe({ mode, attempts, runnerFailure }: SandboxUnavailability): string {
  const lines = attempts.map((attempt) => `\n  ${attempt.backend}: ${attempt.reason}${remedyOf(attempt)}`)
  const known = attempts.some(({ remedy }) => remedy !== undefined) ? '' : general
  const doctor = `${known}${known === '' ? 'T' : 't'}he state of each backend: npx quiesce doctor.`
  const tail = runnerFailure === undefined ? '' : ` Runner failure: ${runnerFailure}`
  return (
    `no sandbox for the mode ${mode} is available, and the command was not run unconfined.` +
    `${lines.join('')}${lines.length > 0 ? '\n' : ' '}${doctor}${tail}`
  )
}

/** No backend can confine a command as its policy asks, or the runner of one failed. Nothing was run. */
export class SandboxUnavailableError extends Error {
  readonly code = 'SANDBOX_UNAVAILABLE'
  readonly mode: SandboxMode
  /** Each backend that was considered, in that order. */
  readonly attempts: readonly SandboxAttempt[]
  readonly runnerFailure: string | undefined

  constructor(facts: SandboxUnavailability, options?: ErrorOptions) {
    super(describe(facts), options)
    this.name = 'SandboxUnavailableError'
    this.mode = facts.mode
    this.attempts = facts.attempts
    this.runnerFailure = facts.runnerFailure
  }
}
