// What a persistent shell is asked and what it tells. Only types.

import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import type { SubprocessOutcome } from '../subprocess/types.js'
import type { TerminalOwner } from './types.js'

export interface PersistentBashRequest {
  readonly owner?: TerminalOwner
  /** Source for the shell. */
  readonly command: string
  /** Absent: 300 000. The shell is ended then, with all that runs in it. */
  readonly timeoutMs?: number | undefined
  /** The same, when it aborts. */
  readonly signal?: AbortSignal | undefined
  /** Characters of output, whose beginning is kept; absent: 16 000. */
  readonly maxOutputChars?: number | undefined
  /** Working folder of a shell that is started for this call; absent: that of the registry. */
  readonly cwd?: string | undefined
  /** Of a shell that is started for this call; absent: that of the registry. */
  readonly sandboxPolicy?: SandboxExecutionPolicy | undefined
}

/**
 * How a call ended. `completed`: the command did. `interrupted`: the shell came back without having finished it (SIGINT,
 * an error that ends the line). `reading`: it waits for input that it cannot get here, and was interrupted. `timeout`,
 * `cancelled`: the shell was ended, the next call gets a new one. `shell_exited`: so did the shell by itself (`exit`, `exec`,
 * `set -e`).
 */
export type PersistentBashEnd = 'completed' | 'interrupted' | 'reading' | 'timeout' | 'cancelled' | 'shell_exited'

export interface PersistentBashResult {
  readonly end: PersistentBashEnd
  /** What the command wrote, stdout and stderr as they came. */
  readonly output: string
  /** More was written; its end is lost. */
  readonly truncated: boolean
  /** Characters that were written altogether. */
  readonly totalChars: number
  /** Of the command; `null` where it is not known. */
  readonly exitCode: number | null
  /** Of the shell, with `shell_exited`; `undefined` in it where it is not known. */
  readonly outcome: SubprocessOutcome | undefined
  /** The state of the shell (variables, working folder, jobs) is gone. */
  readonly reset: boolean
  readonly timeoutMs: number
}
