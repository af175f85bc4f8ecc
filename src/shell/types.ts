// The vocabulary of the shell seam. Only types; `resolve` is the only place that fills in defaults and applies caps.

import type { RangeKind, ResourceUsage, SubprocessEnvironment, SubprocessOutputReader } from '../subprocess/types.js'

/** `kill`: the deadline ends the command. `none`: no deadline; only the caller's signal and `kill()` end it. */
export type ShellExpiry = 'kill' | 'none'

export interface ShellExecRequest {
  /** Shell source, run as `bash -c`. */
  readonly command: string
  readonly workdir?: string | undefined
  /** Capped at the executor's `maxTimeoutMs`. */
  readonly timeoutMs?: number | undefined
  readonly stdoutMaxBytes?: number | undefined
  readonly signal?: AbortSignal | undefined
  /** Written once and closed; absent means the null device. */
  readonly stdin?: string | undefined
  readonly env?: SubprocessEnvironment | undefined
  /** `DSH_*` variables, merged last. */
  readonly dshEnv?: Readonly<Record<`DSH_${string}`, string>> | undefined
  readonly onExpiry?: ShellExpiry | undefined
  readonly leftovers?: 'keep' | 'terminate' | undefined
}

/** A request with every default filled in. Later changes of settings never reach it. */
export interface ShellExecSpec extends ShellExecRequest {
  readonly workdir: string
  readonly timeoutMs: number
  readonly stdoutMaxBytes: number
  readonly stderrMaxBytes: number
  readonly onExpiry: ShellExpiry
  readonly leftovers: 'keep' | 'terminate'
  /** Cap of the spill file of each stream. */
  readonly maxSpillBytes: number
  /** From TERM to KILL, and the longest wait for a held pipe after the exit. */
  readonly graceMs: number
}

/** One collected stream at the end: `truncated` means the text is only the tail of `totalBytes`. */
export interface ShellOutput {
  readonly text: string
  readonly truncated: boolean
  readonly totalBytes: number
  readonly spillPath?: string
  readonly spillError?: Error
}

export interface ShellRunResult {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /**
   * The signal that ended a program inside the command, when the exit status says so (128 + n, as bash reports it).
   * A convention, no proof: a program may exit with such a status by itself.
   */
  readonly innerSignal?: NodeJS.Signals
  /** The executor's own deadline ended the command. */
  readonly timedOut: boolean
  /**
   * Somebody ended the command: the caller's signal, `kill()` or the disposal of the runtime. Excludes `timedOut`.
   * What comes after the exit of the direct command, although before it has settled, changes nothing in `exitCode`,
   * `signal`, `timedOut` and `aborted`: the command ended by itself.
   */
  readonly aborted: boolean
  readonly timeoutMs: number
  /** The whole range was proven empty when the result was made. False: something of the command still runs. */
  readonly quiescent: boolean
  readonly range: RangeKind
  /** `null` when nothing was started. */
  readonly usage: ResourceUsage | null
  readonly stdout: ShellOutput
  readonly stderr: ShellOutput
}

/** What came since the last read; stderr stands in a section marked `[stderr]`. */
export interface ShellProcessRead {
  readonly delta: string
  readonly lossy: boolean
  readonly stdoutSpillPath?: string
  readonly stderrSpillPath?: string
}

export type ShellProcessStatus = 'running' | 'completed' | 'killed'

export interface ShellProcess {
  readonly status: ShellProcessStatus
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  /** Settles with the direct command. Never rejects. */
  readonly done: Promise<void>
  /** Consumes: never delivers a byte twice. Works after the exit. */
  readOutput(): ShellProcessRead
  /** Readers on the same streams that consume nothing; stderr includes the note of a failed start. */
  readonly observed: { readonly stdout: SubprocessOutputReader; readonly stderr: SubprocessOutputReader }
  /**
   * Ends the whole range (TERM, grace, KILL) and makes the status `killed`, also when the direct command has exited and
   * its output is still awaited. False once the direct command has settled, and for a second call.
   */
  kill(): boolean
  /** True once the range is proven empty, false when `signal` aborts first. Stops nothing. */
  waitForExit(signal?: AbortSignal): Promise<boolean>
}

export interface ShellExecution extends ShellProcess {
  /** The same value each time. Rejects only for infrastructure: an unusable workdir, a missing shell, a failed start. */
  result(): Promise<ShellRunResult>
}
