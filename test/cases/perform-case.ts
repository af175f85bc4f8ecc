// Runs one case on one provider and gathers what the words of `expect` speak about.

import { randomUUID } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import type { SandboxOptions, SubprocessOptions } from '../../src/context/options.js'
import type { ShellExecRequest, ShellExecution, ShellRunResult } from '../../src/shell/types.js'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import type { Case } from './case.js'

export interface Observation {
  readonly outcome: string
  /** From the start to the result. */
  readonly tookMs: number
  readonly result: ShellRunResult | null
  readonly error: (Error & { code?: unknown; stage?: unknown }) | null
  /** Pids. */
  readonly survivors: readonly number[]
  /** What was measured beside the result, by the words of `expect`. */
  readonly measured?: Readonly<Record<string, unknown>>
}

export function outcomeOf(result: ShellRunResult): string {
  if (result.timedOut) return 'timed-out'
  if (result.aborted) return 'cancelled'
  return result.signal === null ? 'exited' : 'signaled'
}

function outcomeOfError({ code, stage }: { code?: unknown; stage?: unknown }): string {
  if (code === 'SANDBOX_UNAVAILABLE') return 'sandbox-unavailable'
  if (stage !== undefined) return 'spawn-error'
  return code === 'EINVAL' ? 'rejected-input' : `unexpected error ${String(code)}`
}

type Observed = Omit<Observation, 'survivors'> & { readonly execution: ShellExecution | null }

/** The `python3` that is first on the host's PATH may be a script which looks for one, and slow. */
const quickPython = existsSync('/usr/bin/python3') ? { PATH: `/usr/bin:/bin:${process.env.PATH}` } : {}

export const requestOf = (entry: Case, marker: string, command = entry.command): ShellExecRequest => ({
  command: command + 'x'.repeat(entry.opts?.commandFillerBytes ?? 0),
  workdir: entry.opts?.cwd,
  timeoutMs: entry.timeoutMs,
  leftovers: entry.opts?.background === 'kill' ? 'terminate' : 'keep',
  env: { ...quickPython, QUIESCE_CASE: marker }
})

export async function runOnce(context: Context, request: ShellExecRequest): Promise<Observed> {
  const from = performance.now()
  let execution: ShellExecution | null = null
  try {
    execution = await context.shell.execute(context.shell.resolve(request))
    const result = await execution.result()
    return { outcome: outcomeOf(result), tookMs: performance.now() - from, result, error: null, execution }
  } catch (error) {
    const outcome = outcomeOfError(error as object)
    return { outcome, tookMs: performance.now() - from, result: null, error: error as Error, execution }
  }
}

/**
 * Survivors are counted when the range of an ended command is empty, at once where the call decided about leftovers, and
 * otherwise after the context was asked to end what was left.
 */
async function quiesce(context: Context, { outcome, execution }: Observed, entry: Case): Promise<void> {
  if (outcome === 'timed-out' || outcome === 'cancelled') await execution?.waitForExit()
  else if (entry.opts?.background === undefined) await context.dispose()
}

/** The live processes of the command, looked for until `expected` of them show. */
async function survivorsFrom(marker: string, expected: number): Promise<readonly number[]> {
  const from = performance.now()
  for (;;) {
    const survivors = survivorsOf(`QUIESCE_CASE=${marker}`)
    if (survivors.length >= expected || performance.now() - from > longestWaitMs) return survivors
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

const longestWaitMs = 5_000

/** Children of this process that have ended and were not reaped. */
export function zombiesBelow(parent: number): number {
  const stats = readdirSync('/proc').flatMap((name) => {
    try {
      const stat = /^\d+$/.test(name) ? readFileSync(`/proc/${name}/stat`, 'latin1') : ''
      return [stat.slice(stat.lastIndexOf(')') + 2).split(' ')]
    } catch {
      return []
    }
  })
  return stats.filter(([state, ppid]) => state === 'Z' && Number(ppid) === parent).length
}

/** One observation for each repetition. `escaping` is how many processes are to outlive the command. */
export async function performCase(
  entry: Case,
  subprocess: SubprocessOptions,
  escaping = 0,
  sandbox?: SandboxOptions
): Promise<Observation[]> {
  const { graceMs = 2_000, maxBytes, parallelWith, repeat = 1 } = entry.opts ?? {}
  const observations: Observation[] = []
  for (let round = 0; round < repeat; round++) {
    const shell = { graceMs, maxOutputBytes: maxBytes }
    await using context = await createContext({ cwd: sandbox?.workspaceRoot, sandbox, subprocess, shell })
    const marker = randomUUID()
    const zombies = zombiesBelow(process.pid)
    const [observed] = await Promise.all([
      runOnce(context, requestOf(entry, marker)),
      parallelWith === undefined ? null : runOnce(context, requestOf(entry, randomUUID(), parallelWith))
    ])
    await quiesce(context, observed, entry)
    const { execution: _, ...facts } = observed
    const survivors = await survivorsFrom(marker, escaping)
    const measured = { zombiesAddedBelowUs: zombiesBelow(process.pid) - zombies }
    observations.push({ ...facts, survivors, measured })
  }
  return observations
}

/** `run` is asynchronous in everything, errors of its input included. */
export async function throwsSync(entry: Case, subprocess: SubprocessOptions): Promise<boolean> {
  await using context = await createContext({ subprocess })
  let run: Promise<unknown>
  try {
    run = context.shell.run(requestOf(entry, randomUUID()))
  } catch {
    return true
  }
  await run.catch(() => undefined)
  return false
}
