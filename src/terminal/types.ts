// The vocabulary of persistent terminals: what is asked of a registry and what it tells. Only types live here.
// Positions count UTF-16 units of everything that a terminal has shown as text, from its beginning.

import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import type { SubprocessTerminalSignal } from '../subprocess/terminal-types.js'
import type { SubprocessEnvironment, SubprocessOutcome } from '../subprocess/types.js'

/** Whose terminals: compared exactly. `undefined` is an owner of its own, not everybody. */
export type TerminalOwner = string | undefined

export interface TerminalOpenRequest {
  readonly owner?: TerminalOwner
  /** Unique among the owner's open terminals. */
  readonly name?: string | undefined
  /** What runs in it; absent: `bash`. */
  readonly backend?: string | undefined
  /** Absolute; absent: that of the registry. */
  readonly cwd?: string | undefined
  readonly env?: SubprocessEnvironment | undefined
  /** 1 to 65535; absent: 40 rows of 160 columns. */
  readonly rows?: number | undefined
  readonly cols?: number | undefined
  /** Absent: that of the registry. Where no sandbox is, it counts for nothing. */
  readonly sandboxPolicy?: SandboxExecutionPolicy | undefined
  /** Ends the set-up, and with it what has been started; a terminal that was handed over lives on. */
  readonly signal?: AbortSignal | undefined
}

export interface TerminalSnapshot {
  /** `pty-1` and so on, never used again. */
  readonly id: string
  readonly name: string | undefined
  readonly owner: TerminalOwner
  readonly backend: string
  readonly pid: number
  readonly cwd: string
  /** `sending`: a send is under way. `exited`: its shell is gone, its text can still be read until it is closed. */
  readonly state: 'open' | 'sending' | 'exited'
  readonly outcome: SubprocessOutcome | undefined
}

/** Names one terminal of one owner. */
export interface TerminalAccess {
  readonly id: string
  readonly owner?: TerminalOwner
}

export interface TerminalSendRequest extends TerminalAccess {
  readonly text: string
  /** Whether Enter is typed after the text; absent: true. */
  readonly enter?: boolean | undefined
  /** How long the send waits at most for the terminal to want input again; absent: 30 000. It ends nothing. */
  readonly timeoutMs?: number | undefined
  /** Interrupts the foreground with SIGINT, and the send rejects with its reason. */
  readonly signal?: AbortSignal | undefined
  /** Of `output`, whose end is kept; 64 to 262 144 bytes. */
  readonly maxBytes?: number | undefined
}

/**
 * Why a send returned: the terminal wants input (proven), it has been silent for a while (so it may), the time is over, or
 * its shell has ended. The last two say nothing of what its processes do.
 */
export type TerminalSendReason = 'stdin_read' | 'inferred_idle' | 'timeout' | 'session_exit'

export interface TerminalSendResult {
  readonly reason: TerminalSendReason
  /** What was shown since the text was typed, its echo and the prompt included. */
  readonly output: string
  /** The beginning of `output` is missing. */
  readonly truncated: boolean
  /** Where to read on. */
  readonly position: number
  /** The shell shows its continuation prompt: the command so far is unfinished, such as a quote or a heredoc. */
  readonly continuation: boolean
  /** With the reason `session_exit`. */
  readonly outcome: SubprocessOutcome | undefined
}

export interface TerminalReadRequest extends TerminalAccess {
  /** Everything from there on; absent: the last lines. */
  readonly position?: number | undefined
  /** Absent: 500. Only without `position`. */
  readonly lines?: number | undefined
  /** 64 to 262 144, which is also what holds without it. */
  readonly maxBytes?: number | undefined
}

export interface TerminalRead {
  readonly text: string
  readonly position: number
  /** Something between the position that was asked for and `text` is not kept any more, or did not fit. */
  readonly lossy: boolean
  readonly state: TerminalSnapshot['state']
  readonly outcome: SubprocessOutcome | undefined
}

export interface TerminalSignalRequest extends TerminalAccess {
  readonly signal: SubprocessTerminalSignal
}
