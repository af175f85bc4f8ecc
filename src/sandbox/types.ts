// The vocabulary of the sandbox seam. Only types. A policy is plain data and complete for each call: nothing here knows
// sessions, shells or tools.

import type { PreparedConfinement } from '../subprocess/prepared-confinement.js'

/** What a command may do to files; `danger-full-access` is not confined at all, and no provider is asked. */
export type SandboxMode = 'read-only' | 'workspace-write' | 'danger-full-access'

/** `none`: no network but a loopback of its own. */
export type SandboxNetwork = 'host' | 'none'

export interface SandboxExecutionPolicy {
  readonly mode: SandboxMode
  /** Absolute. In `workspace-write` it may be written to, as may the temporary folders of the system. */
  readonly workspaceRoot: string
  /** For providers that keep something for each session; the built-in ones do not. */
  readonly sessionId?: string | undefined
  /** More folders or files that may be written to, absolute. They count in `workspace-write` only. */
  readonly writableRoots?: readonly string[] | undefined
  /** Files and folders whose content the command cannot read, absolute. Those that do not exist are passed over. */
  readonly hiddenPaths?: readonly string[] | undefined
  /** Absent: `host`. */
  readonly network?: SandboxNetwork | undefined
}

/** `partial`: something that a policy speaks of is not governed; `notGoverned` says what. */
export type SandboxEnforcement = 'full' | 'partial'

/**
 * How to tell that the runner itself failed and the command did not run: it exited nonzero, with one of the allowed codes
 * if any are listed, and a line of its stderr contains a fatal signature. An exit status alone proves nothing.
 */
export interface RunnerFailureRule {
  readonly allowedExitCodes?: readonly number[] | undefined
  readonly fatalSignatures: readonly string[]
  /** Whole lines that are no failures although they contain a signature. Case does not matter. */
  readonly informationalLines?: readonly string[] | undefined
}

/** A command line that confines itself before it becomes the command, and how to read what comes of it. */
export interface ConfinedArgv {
  /** Complete: to be started as it stands. */
  readonly argv: readonly string[]
  readonly enforcement: SandboxEnforcement
  /** Which mechanism it is, such as `native` or `bwrap`. */
  readonly backend: string
  /** What this mechanism leaves open on this host; empty for `full`. */
  readonly notGoverned: readonly string[]
  /** Pieces of error texts that stand for a refusal by this mechanism. Case does not matter. */
  readonly denialSignatures: readonly string[]
  readonly runnerFailureRules: readonly RunnerFailureRule[]
  /** What could be seen beforehand to weaken the confinement. */
  readonly warnings?: readonly string[] | undefined
  /** The short way to the same confinement, for the spec of the spawn; the native core alone can take it. */
  readonly prepared?: PreparedConfinement | undefined
}
