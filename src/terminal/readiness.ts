// When a terminal wants input again, after something was typed: its shell shows a new prompt and has the foreground; a
// process provably waits for input, and has begun to after the typing; or nothing has been shown for a while.

import type { TerminalSession } from './session.js'
import type { TerminalTimings } from './settings.js'
import type { TerminalSendReason } from './types.js'

/** The state from before the typing. */
export interface Beginning {
  readonly prompts: number
  readonly continuations: number
  readonly at: number
  /** Lines typed: each may bring a prompt of its own, of which only the last is the end. */
  readonly lines: number
}

export function beginning(session: TerminalSession, lines = 1): Beginning {
  const { prompts, continuations } = session
  return { prompts, continuations, at: performance.now(), lines }
}

export interface Readiness {
  readonly reason: TerminalSendReason
  readonly continuation: boolean
}

const proven: Readiness = { reason: 'stdin_read', continuation: false }

/** `stopped` is looked at with every change; once true, `undefined` comes at once. */
export async function whenReady(
  session: TerminalSession,
  before: Beginning,
  timings: TerminalTimings,
  timeoutMs: number,
  stopped: () => boolean = () => false
): Promise<Readiness | undefined> {
  const deadline = before.at + timeoutMs
  let waitingSince: number | undefined
  for (;;) {
    if (session.outcome !== undefined) return { reason: 'session_exit', continuation: false }
    if (stopped()) return undefined
    const now = performance.now()
    const quietMs = now - Math.max(session.lastOutputAt, before.at)
    const prompted = atNewPrompt(session, before)
    // Between the lines of what was typed there are prompts too; the last one stays.
    const settled = quietMs >= timings.probeAfterMs || session.prompts - before.prompts >= before.lines
    if (prompted !== undefined && settled && (ownsForeground(session) || quietMs >= timings.handoffMs)) return prompted
    const probing = now - before.at >= timings.probeAfterMs && quietMs >= timings.pollMs
    if (!probing || session.handle.inspectForeground()?.inputWaiting !== true) waitingSince = undefined
    else if (waitingSince === undefined || waitingSince < session.lastOutputAt) waitingSince = now
    else if (now - waitingSince >= timings.pollMs) return prompted ?? proven
    if (quietMs >= timings.silenceMs) return { reason: 'inferred_idle', continuation: false }
    if (now >= deadline) return { reason: 'timeout', continuation: false }
    await session.change(Math.max(1, Math.min(timings.pollMs, deadline - now)))
  }
}

function atNewPrompt(session: TerminalSession, before: Beginning): Readiness | undefined {
  if (session.prompts > before.prompts && session.atPrompt) return proven
  if (session.continuations > before.continuations && session.atContinuation) return { ...proven, continuation: true }
  return undefined
}

function ownsForeground({ handle }: TerminalSession): boolean {
  return handle.inspectForeground()?.processGroupId === handle.pid
}
