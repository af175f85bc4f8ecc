// Runs one small program of a probe, as commands are run: through the subprocess runtime, and ended as a whole with it.

import type { PreparedConfinement } from '../../subprocess/prepared-confinement.js'
import type { SubprocessRuntime } from '../../subprocess/runtime.js'
import type { SubprocessOutcome } from '../../subprocess/types.js'
import { BackendProblem } from './backend.js'

export interface ProbeTerms {
  readonly subprocess: SubprocessRuntime
  /** For the whole probe of a backend, and when it began. */
  readonly timeoutMs: number
  readonly startedAt: number
  readonly signal: AbortSignal
}

export interface ProbeEnd {
  readonly exitCode: number | null
  readonly stdout: string
  readonly stderr: string
}

const collect = { maxBytes: 16_384 }
const stdio = { stdin: 'ignore', stdout: collect, stderr: collect } as const

const tooSlow = ({ timeoutMs }: ProbeTerms): BackendProblem =>
  new BackendProblem(`it gave no answer within ${timeoutMs} ms (probeTimeoutMs)`)

/** @throws BackendProblem if it cannot be started or takes too long; the reason of the signal once that aborts. */
export async function runProbe(
  argv: readonly string[],
  terms: ProbeTerms,
  confinement?: PreparedConfinement
): Promise<ProbeEnd> {
  const { subprocess, signal } = terms
  const deadlineMs = terms.timeoutMs - (performance.now() - terms.startedAt)
  signal.throwIfAborted()
  if (deadlineMs <= 0) throw tooSlow(terms)
  const handle = subprocess.spawn({
    argv,
    cwd: '/',
    stdio,
    graceMs: 500,
    signal,
    deadlineMs,
    leftovers: 'terminate',
    confinement
  })
  let outcome: SubprocessOutcome
  try {
    outcome = await handle.done
  } catch (error) {
    signal.throwIfAborted()
    throw new BackendProblem(error instanceof Error ? error.message : String(error))
  }
  signal.throwIfAborted()
  if (handle.facts.cause === 'deadline') throw tooSlow(terms)
  const { stdout, stderr } = handle.collected
  return {
    exitCode: outcome.exitCode,
    stdout: stdout?.readFrom(0).text ?? '',
    stderr: stderr?.readFrom(0).text ?? ''
  }
}

/** What a failed program said last, or how it ended. */
export function failureOf({ exitCode, stderr }: ProbeEnd): string {
  const said = stderr.trim().split('\n').at(-1)?.trim() ?? ''
  const how = exitCode === null ? 'a signal ended it' : `exit code ${exitCode}`
  return said === '' ? how : `${said} (${how})`
}
