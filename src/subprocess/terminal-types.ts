// The vocabulary of terminals at the subprocess seam: a command in a pseudoterminal of its own. Only types live here.

import type { Readable } from 'node:stream'
import type { RangeKind, SubprocessEnvironment, SubprocessOutcome } from './types.js'

export interface SubprocessTerminalSpawnSpec {
  /** Program and arguments; the first element must not be empty. */
  readonly argv: readonly string[]
  /** Working folder, absolute. */
  readonly cwd: string
  /** Merged over the scrubbed environment of the host; TERM is `dumb` unless it says otherwise. */
  readonly env?: SubprocessEnvironment | undefined
  /** Size of the window, in characters: 1 to 65535 each. */
  readonly rows: number
  readonly cols: number
  /** From TERM to KILL when the terminal is ended. */
  readonly graceMs: number
  /** Cancels the allocation only: a terminal that has been handed over lives on its own. */
  readonly signal?: AbortSignal | undefined
}

/** Who reads from and is signalled by the terminal now. */
export interface SubprocessTerminalForeground {
  readonly processGroupId: number
  /** Some process of the group provably waits for input from the terminal. */
  readonly inputWaiting: boolean
}

export type SubprocessTerminalSignal = 'SIGINT' | 'SIGTERM' | 'SIGKILL' | 'SIGTSTP' | 'SIGHUP'

export interface SubprocessTerminalHandle {
  readonly pid: number
  readonly range: RangeKind
  /** Bytes in order; ends after everything queued once the direct command has exited. */
  readonly output: Readable
  /** How the direct command ended, after its output has been taken from the kernel. Never rejects. */
  readonly done: Promise<SubprocessOutcome>
  /** True once no process of the terminal is left. */
  readonly quiescent: boolean
  /**
   * Types `data`, bytes as they are, UTF-8 for text. Resolves when the kernel has taken all of it.
   * @throws rejects with `terminal process has exited` after the end.
   */
  write(data: string | Uint8Array): Promise<void>
  /** Does nothing after the end. */
  resize(cols: number, rows: number): void
  /** `undefined` when it cannot be known, as after the end. */
  inspectForeground(): SubprocessTerminalForeground | undefined
  /** Signals the foreground process group and returns its id. SIGKILL for the direct command's own group is refused. */
  signalForeground(signal: SubprocessTerminalSignal): number
  /** Ends every process of the terminal: TERM, after the grace KILL; resolves once none is left. Idempotent; retryable. */
  terminate(): Promise<void>
}
