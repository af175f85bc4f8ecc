// From a request to a session whose program wants input. Whatever goes wrong on the way, nothing that was started is left.

import { TerminalError } from '../errors/terminal-error.js'
import { checkPolicy } from '../sandbox/policy-checks.js'
import type { SandboxProvider } from '../sandbox/provider.js'
import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import { throwIfAborted } from '../subprocess/preflight-values.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import type { TerminalBackend } from './bash-backend.js'
import { beginning, whenReady } from './readiness.js'
import { TerminalSession } from './session.js'
import { defaultCols, defaultRows, type TerminalTimings } from './settings.js'
import type { TerminalOpenRequest } from './types.js'

export interface Ground {
  readonly subprocess: SubprocessRuntime
  readonly sandbox: SandboxProvider | undefined
  readonly timings: TerminalTimings
}

export interface Plan {
  readonly request: TerminalOpenRequest
  readonly backend: TerminalBackend
  readonly cwd: string
  readonly policy: SandboxExecutionPolicy | undefined
  /** Of the caller, of the owner's end and of the registry's, all in one. */
  readonly signal: AbortSignal
}

export async function openSession(
  ground: Ground,
  { request, backend, cwd, policy, signal }: Plan
): Promise<TerminalSession> {
  const { subprocess, sandbox, timings } = ground
  const nonce = crypto.randomUUID()
  const launch = backend.launch(nonce)
  const argv = await confined(launch.argv, sandbox, policy, signal)
  throwIfAborted(signal)
  // Without the signal: who is told of an abort is told once the terminal has been ended, which needs its handle.
  const handle = await subprocess.spawnTerminal({
    argv,
    cwd,
    env: { ...launch.env, ...request.env },
    rows: request.rows ?? defaultRows,
    cols: request.cols ?? defaultCols,
    graceMs: timings.graceMs
  })
  const session = new TerminalSession(handle, launch, nonce)
  try {
    await untilUsable(session, launch.prompt !== undefined, timings, signal)
    return session
  } catch (error) {
    await handle.terminate().catch((failure: unknown) => {
      const message = `a terminal that was being opened could not be ended: ${(failure as Error).message}`
      throw new TerminalError('CLEANUP_FAILED', message, new AggregateError([error, failure]))
    })
    throw error
  }
}

async function confined(
  argv: readonly string[],
  sandbox: SandboxProvider | undefined,
  policy: SandboxExecutionPolicy | undefined,
  signal: AbortSignal
): Promise<readonly string[]> {
  if (sandbox === undefined || policy === undefined) return argv
  const checked = checkPolicy('sandboxPolicy', policy)
  if (checked.mode === 'danger-full-access') return argv
  return (await sandbox.confine(argv, checked, signal)).argv
}

/** A program with a prompt of its own is usable with the first one; any other as soon as it waits or is silent. */
async function untilUsable(
  session: TerminalSession,
  prompts: boolean,
  timings: TerminalTimings,
  signal: AbortSignal
): Promise<void> {
  const wake = (): void => session.wake()
  signal.addEventListener('abort', wake)
  const before = { ...beginning(session), prompts: 0, continuations: 0 }
  try {
    const deadline = before.at + timings.sendTimeoutMs
    for (;;) {
      const leftMs = deadline - performance.now()
      const ready = await whenReady(session, before, timings, timings.sendTimeoutMs, () => signal.aborted)
      throwIfAborted(signal)
      if (session.outcome !== undefined) throw new Error(endedEarly(session))
      if (!prompts || session.prompts > 0) return
      if (leftMs <= 0) throw new Error(`the terminal showed no prompt within ${timings.sendTimeoutMs} ms`)
      // Still starting: a reader on the way to its first prompt is not the shell that was asked for.
      if (ready !== undefined) await session.change(timings.pollMs)
    }
  } finally {
    signal.removeEventListener('abort', wake)
  }
}

function endedEarly({ outcome, text }: TerminalSession): string {
  const how = outcome?.signal ? `signal ${outcome.signal}` : `exit code ${outcome?.exitCode}`
  const shown = text.lastLines(5, 1000).trim()
  return `the program of the terminal ended while it was being opened (${how})${shown ? `: ${shown}` : ''}`
}
