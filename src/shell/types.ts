// The vocabulary of the shell seam. Only types; `resolve` is the only place that fills in defaults and applies caps.

import type { SandboxEnforcement, SandboxExecutionPolicy, SandboxMode } from '../sandbox/types.js'
import type {
  RangeKind,
  ResourceUsage,
  SubprocessEnvironment,
  SubprocessLimits,
  SubprocessOutputReader
} from '../subprocess/types.js'

/** `kill`: the deadline ends the command. `none`: only the caller's signal, `kill()` and disposal end it. */
export type ShellExpiry = 'kill' | 'none'

export interface ShellExecRequest {
  /** Shell source, run as `bash -c`. */
  readonly command: string
  /**
   * Working folder; a relative one lies below the executor's `cwd`, which also stands in for none. Not looked at before
   * the start: one that cannot be entered makes `result()` reject, with the stage `chdir`.
   */
  readonly workdir?: string | undefined
  /**
   * Deadline in milliseconds from `execute` on; absent: the executor's `timeoutMs`. Capped at its `maxTimeoutMs`. With
   * `onExpiry: 'none'` nothing is ended; the value is still checked and capped, and told in the result.
   */
  readonly timeoutMs?: number | undefined
  /** How many of the last bytes of stdout stay in memory; absent: the executor's `maxOutputBytes`, as for stderr. */
  readonly stdoutMaxBytes?: number | undefined
  /**
   * Ends the whole range when it aborts. If it has aborted before the start, nothing runs: `execute` and `run` reject with
   * its reason.
   */
  readonly signal?: AbortSignal | undefined
  /** Written once and closed; absent means the null device. */
  readonly stdin?: string | undefined
  /** Merged over the scrubbed environment of the host and the shell's own NO_COLOR, TERM, PAGER and GIT_PAGER. */
  readonly env?: SubprocessEnvironment | undefined
  /** `DSH_*` variables, merged last. Those of the host are never inherited. */
  readonly dshEnv?: Readonly<Record<`DSH_${string}`, string>> | undefined
  /**
   * How this command is confined; absent: as the executor does by itself. An executor that does not confine refuses every
   * mode but `danger-full-access`.
   */
  readonly sandboxPolicy?: SandboxExecutionPolicy | undefined
  /** Absent: `kill`. */
  readonly onExpiry?: ShellExpiry | undefined
  /**
   * What happens to processes that outlive the direct command: `keep` (the default) leaves them to disposal,
   * `terminate` ends them at once, and `result()` waits for that.
   */
  readonly leftovers?: 'keep' | 'terminate' | undefined
  /**
   * What the command may use at most, laid over the executor's `limits` one by one. One that cannot be enforced makes
   * `result()` reject with a `LimitUnavailableError`; the command does not run.
   */
  readonly limits?: SubprocessLimits | undefined
}

/** A request with every default filled in. Later changes of settings never reach it. */
export interface ShellExecSpec extends ShellExecRequest {
  /** Not normalised: `..` is the kernel's business. */
  readonly workdir: string
  /** The deadline in milliseconds after the cap. */
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

/** How a command was confined, and what its end says of that. In `danger-full-access` only `mode` and `denied: false`. */
export interface ShellSandboxInfo {
  readonly mode: SandboxMode
  /**
   * The command failed by itself and its stderr speaks of a refusal in the words of its sandbox. Evidence, no proof: the
   * words may be the command's own, and it may have been refused without saying so. False while it runs.
   */
  readonly denied: boolean
  readonly enforcement?: SandboxEnforcement
  /** The mechanism, such as `native` or `bwrap`. */
  readonly backend?: string
  /** With `partial`: what is left open. */
  readonly notGoverned?: readonly string[]
  /** What could be seen beforehand to weaken the confinement; absent if nothing was. */
  readonly warnings?: readonly string[]
  /** The runner failed and the command did not run: `result()` rejects with a `SandboxUnavailableError`. */
  readonly runnerFailed?: true
}

/** One collected stream when the result was made. */
export interface ShellOutput {
  /** What memory holds of it, decoded as UTF-8: everything, or its tail. */
  readonly text: string
  /** `text` is only the tail. */
  readonly truncated: boolean
  /** Bytes that were written to the stream so far. */
  readonly totalBytes: number
  /** The file with the whole stream. Absent when nothing overflowed, or the stream outgrew the cap of the file. */
  readonly spillPath?: string
  /** Why there is no complete spill file although one was wanted: a full disk, a missing folder. */
  readonly spillError?: Error
}

export interface ShellRunResult {
  /** `null` when a signal ended the direct command, nothing was started, or the status could not be had. */
  readonly exitCode: number | null
  /** `null` when the direct command exited by itself, nothing was started, or the status could not be had. */
  readonly signal: NodeJS.Signals | null
  /**
   * The signal that ended a program inside the command, when the exit status says so (128 + n, as bash reports it).
   * A convention, no proof: a program may exit with such a status by itself.
   */
  readonly innerSignal?: NodeJS.Signals
  /**
   * Memory ran out and the kernel killed the command, or processes of it, for that: their SIGKILL is this one. Only ever
   * present where it can be known (`usage.oomKills`).
   */
  readonly oomKilled?: true
  /** The executor's own deadline ended the command. */
  readonly timedOut: boolean
  /**
   * Somebody ended the command: the caller's signal, `kill()` or the disposal of the runtime. Excludes `timedOut`.
   * What comes after the exit of the direct command, although before it has settled, changes nothing in `exitCode`,
   * `signal`, `timedOut` and `aborted`: the command ended by itself.
   */
  readonly aborted: boolean
  /** The deadline that the command had, in milliseconds; with `onExpiry: 'none'` it had none. */
  readonly timeoutMs: number
  /** The whole range was proven empty when the result was made. False: something of the command still runs. */
  readonly quiescent: boolean
  /** How its processes were held together. */
  readonly range: RangeKind
  /** `null` when nothing was started. */
  readonly usage: ResourceUsage | null
  readonly stdout: ShellOutput
  readonly stderr: ShellOutput
  /** Absent where the executor does not confine. */
  readonly sandbox?: ShellSandboxInfo
}

/** What came since the last read; stderr stands in a section marked `[stderr]`. */
export interface ShellProcessRead {
  /** Empty when nothing came. */
  readonly delta: string
  /** Something between the last read and this one is no longer in memory; a spill file has it. */
  readonly lossy: boolean
  /** The file with the whole stream so far; absent until memory overflows. */
  readonly stdoutSpillPath?: string
  readonly stderrSpillPath?: string
}

/**
 * `running` until the direct command has settled. Then `completed` if it exited by itself, whatever its exit code, and
 * `killed` if a signal, the deadline or the caller ended it or it could not be started. `kill()` makes it so at once.
 */
export type ShellProcessStatus = 'running' | 'completed' | 'killed'

export interface ShellProcess {
  readonly status: ShellProcessStatus
  /** `null` while `done` is pending; otherwise as in the result. */
  readonly exitCode: number | null
  /** `null` while `done` is pending; otherwise as in the result. */
  readonly signal: NodeJS.Signals | null
  /** As in the result, at any time; `undefined` where the executor does not confine. */
  readonly sandbox: ShellSandboxInfo | undefined
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
  /**
   * True once the range is proven empty, false when `signal` aborts first. Stops nothing. Rejects if emptiness can no
   * longer be observed.
   */
  waitForExit(signal?: AbortSignal): Promise<boolean>
}

export interface ShellExecution extends ShellProcess {
  /**
   * The same value each time. Rejects only for infrastructure: an unusable workdir, a missing shell, a failed start
   * (`SubprocessError`), a limit that cannot be enforced (`LimitUnavailableError`), a sandbox whose runner failed
   * (`SandboxUnavailableError`), a runtime that has been disposed.
   */
  result(): Promise<ShellRunResult>
}
