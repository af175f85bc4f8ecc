// One command in a persistent shell: typed as one line between two marks, and watched until the second mark comes or it is
// clear that it will not.

import { promptCommand } from './bash-backend.js'
import type { PersistentBashEnd } from './bash-types.js'
import { CommandCapture } from './command-capture.js'
import { quotedPieces } from './quote.js'
import type { TerminalSession } from './session.js'
import type { TerminalTimings } from './settings.js'

export interface CallTerms {
  readonly timings: TerminalTimings
  readonly deadline: number
  readonly aborted: () => boolean
  readonly maxOutputChars: number
}

export interface CallEnd {
  readonly end: PersistentBashEnd
  readonly exitCode: number | null
  readonly capture: CommandCapture
}

export async function callBash(session: TerminalSession, command: string, terms: CallTerms): Promise<CallEnd> {
  const capture = new CommandCapture(session, terms.maxOutputChars)
  try {
    const { prompts, continuations } = session
    const typed = typeCommand(session, capture, command)
    typed.catch(() => {})
    const end = await watch(session, capture, { prompts, continuations }, terms)
    if (end === 'completed') await backAtPrompt(session, prompts, terms)
    const status = end === 'interrupted' ? session.lastStatus : undefined
    return { end, exitCode: capture.exitCode ?? status ?? null, capture }
  } finally {
    capture.stop()
  }
}

/**
 * The command reads from the null device: nobody can answer it here. Errexit is taken back with the prompt, or the next
 * command that fails would end the shell.
 */
function typeCommand(session: TerminalSession, capture: CommandCapture, command: string): Promise<void> {
  const pieces = quotedPieces(command)
  const last = pieces.length - 1
  const [source, ...before] =
    last === 0
      ? [pieces[0]]
      : ['"$__quiesce_command"', ...pieces.map((piece, index) => `__quiesce_command${index === 0 ? '' : '+'}=${piece}`)]
  const restore = `\\builtin set +e; PROMPT_COMMAND=${quotedPieces(promptCommand(session.nonce)).join('')}`
  const line = `${capture.beginSource}; \\builtin eval ${source} </dev/null; ${capture.endSource}; ${restore}`
  return session.handle.write([...before, line, ''].join('\n'))
}

interface Before {
  readonly prompts: number
  readonly continuations: number
}

async function watch(
  session: TerminalSession,
  capture: CommandCapture,
  before: Before,
  { timings, deadline, aborted }: CallTerms
): Promise<PersistentBashEnd> {
  const { handle } = session
  let waitingSince: number | undefined
  for (;;) {
    if (capture.exitCode !== undefined) return 'completed'
    if (session.outcome !== undefined) return 'shell_exited'
    if (aborted()) return 'cancelled'
    const now = performance.now()
    if (now >= deadline) return 'timeout'
    // The shell is back, so the rest of the line will not run any more.
    if (capture.prompted && session.atPrompt) return 'interrupted'
    if (session.continuations > before.continuations && session.atContinuation) return 'reading'
    const quietMs = now - session.lastOutputAt
    const foreground = quietMs >= timings.probeAfterMs ? handle.inspectForeground() : undefined
    if (foreground?.inputWaiting !== true) waitingSince = undefined
    else {
      waitingSince ??= now
      // A program may look at the terminal beside its work; the shell itself has nothing else to do.
      const enough = foreground.processGroupId === handle.pid ? timings.handoffMs : timings.silenceMs
      if (now - Math.max(waitingSince, session.lastOutputAt) >= enough) return 'reading'
    }
    await session.change(Math.max(1, Math.min(timings.pollMs, deadline - now)))
  }
}

/** So that the next command is typed at a prompt, where its length does not matter. */
async function backAtPrompt(session: TerminalSession, prompts: number, { timings }: CallTerms): Promise<void> {
  const until = performance.now() + timings.handoffMs
  while (session.outcome === undefined && !(session.prompts > prompts && session.atPrompt)) {
    const leftMs = until - performance.now()
    if (leftMs <= 0) return
    await session.change(leftMs)
  }
}
