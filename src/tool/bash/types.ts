// The vocabulary of the bash tool: what a model may send, and what a call comes to, as data. That is a command that has ended,
// a job that was started, or a command that has outlasted the wait and goes on as the job that it was from its start.

import type { SandboxMode } from '../../sandbox/types.js'
import type { ShellSandboxInfo } from '../../shell/types.js'

export interface BashInput {
  readonly command: string
  /** What the command is for, in a few words. */
  readonly description: string
  /** Milliseconds; absent: the executor's default. Capped at its largest. */
  readonly timeoutMs?: number | undefined
  readonly workdir?: string | undefined
  readonly run_in_background?: boolean | undefined
  /** A wider mode for this call. Goes with `justification`. */
  readonly sandbox_permissions?: SandboxMode | undefined
  readonly justification?: string | undefined
}

/** One stream of a command that has ended. */
export interface BashStream {
  /** Everything, or its tail. */
  readonly text: string
  readonly truncated: boolean
  readonly totalBytes: number
  /** The file with the whole stream, if there is one. */
  readonly spillPath?: string | undefined
}

/** A command that has ended, however badly. */
export interface BashForeground {
  readonly kind: 'foreground'
  readonly exitCode: number | null
  readonly signal: string | null
  readonly timedOut: boolean
  /** A call that was ended from outside is an error. */
  readonly aborted: false
  readonly timeoutMs: number
  readonly stdout: BashStream
  readonly stderr: BashStream
  /** Absent where commands are not confined. */
  readonly sandbox?: ShellSandboxInfo | undefined
}

/** A job that was asked for. */
export interface BashBackground {
  readonly kind: 'background'
  readonly jobId: string
}

/** A command that has outlasted `timeoutMs` and goes on, with what it has printed so far. */
export interface BashPromoted {
  readonly kind: 'promoted'
  readonly jobId: string
  /** How long the call has waited. */
  readonly timeoutMs: number
  readonly stdout: string
  readonly stderr: string
  /** Something is left out that memory no longer has. */
  readonly lossy: boolean
  readonly spillPaths: readonly string[]
}

export type BashOutput = BashForeground | BashBackground | BashPromoted
