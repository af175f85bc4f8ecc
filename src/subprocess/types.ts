// The vocabulary of the subprocess seam: what a spawn asks for and what a handle tells.
// Only types live here. Everything is explicit in the spec; no provider fills in a default.
// All sizes are bytes, all durations milliseconds.

import type { Duplex, Readable, Writable } from 'node:stream'
import type { PreparedConfinement } from './prepared-confinement.js'

/** How the processes of one command are held together, strongest first. */
export type RangeKind = 'cgroup' | 'scope' | 'supervisor' | 'group'

/** The range that a runtime uses, and why each stronger kind was not taken. */
export interface RangeReport {
  readonly kind: RangeKind
  /** One for each stronger kind, strongest first. */
  readonly reasons: readonly { readonly kind: RangeKind; readonly reason: string }[]
}

/** Keep the last `maxBytes` of a stream in memory and, with `spill`, the whole stream in a file of at most that size. */
export interface SubprocessCollect {
  readonly maxBytes: number
  readonly spill?: { readonly maxBytes: number } | undefined
}

/** `ignore` is the null device, `pipe` a stream on the handle, `{ data }` is written once and then closed. */
export type SubprocessInput = 'ignore' | 'pipe' | { readonly data: string | Uint8Array }

/** `ignore` is the null device, `pipe` a raw stream on the handle, `inherit` the host's own stream. */
export type SubprocessOutput = 'ignore' | 'pipe' | 'inherit' | SubprocessCollect

export interface SubprocessStdio {
  readonly stdin: SubprocessInput
  readonly stdout: SubprocessOutput
  readonly stderr: SubprocessOutput
  /** A private duplex channel: descriptor 7 of the command, named to it by `QUIESCE_CONTROL_FD=7`. */
  readonly control?: 'pipe' | undefined
  /** A readable file without a name, holding `data`, as descriptor 8 of the command: for what is too long for argv. */
  readonly attachment?: { readonly data: string | Uint8Array } | undefined
}

/** Overrides for the command's environment; `undefined` removes an inherited variable. */
export type SubprocessEnvironment = Readonly<Record<string, string | undefined>>

/**
 * What a command may use at most. One that cannot be enforced here is an error, and nothing runs: `done` rejects with a
 * `LimitUnavailableError`. Absent: nothing beyond what holds for the host.
 */
export interface SubprocessLimits {
  /**
   * Bytes of memory of all processes together, page cache included and nothing swapped out. When it runs out the kernel
   * ends all of them with SIGKILL (`usage.oomKills`). Needs a `cgroup` or `scope` range with the memory controller.
   */
  readonly memoryBytes?: number | undefined
  /**
   * Processes and threads at one time, all together, the direct command included; beyond it fork fails with EAGAIN. Needs
   * a `cgroup` or `scope` range with the pids controller.
   */
  readonly pids?: number | undefined
  /**
   * Processors that all processes together may keep busy, such as 0.5 or 2; beyond it they wait. Needs a `cgroup` or
   * `scope` range with the cpu controller.
   */
  readonly cpus?: number | undefined
  /**
   * Seconds of CPU time of each single process (RLIMIT_CPU): SIGXCPU ends it then, and a second later SIGKILL. Like the
   * two below it needs the native core, is inherited, and may not be above the hard limit of the host.
   */
  readonly cpuSeconds?: number | undefined
  /** Bytes that a file may grow to by writing (RLIMIT_FSIZE): SIGXFSZ ends the writer. Pipes are no files. */
  readonly fileBytes?: number | undefined
  /** Descriptors that each single process may have open (RLIMIT_NOFILE); beyond it opening fails with EMFILE. */
  readonly openFiles?: number | undefined
}

export interface SubprocessSpawnSpec {
  /** Program and arguments. A program without a slash is searched on the command's own PATH. Never parsed. */
  readonly argv: readonly string[]
  /** Working folder, absolute. One that cannot be entered makes `done` reject, with the stage `chdir`. */
  readonly cwd: string
  readonly stdio: SubprocessStdio
  /** From TERM to KILL, and the longest that `done` waits for a held pipe after the exit. */
  readonly graceMs: number
  /** Ends the whole range when it aborts, for as long as the range is not proven empty. */
  readonly signal?: AbortSignal | undefined
  /** Merged over the scrubbed environment of the host. */
  readonly env?: SubprocessEnvironment | undefined
  /** Ends the whole range this long after `spawn`, independent of the event loop where the provider can. */
  readonly deadlineMs?: number | undefined
  /** What happens to processes that outlive the direct command; `keep` leaves them to the runtime's disposal. */
  readonly leftovers?: 'keep' | 'terminate' | undefined
  readonly limits?: SubprocessLimits | undefined
  /**
   * The short way into the sandbox that `argv` enters by itself: the native provider starts its command inside, and fails
   * with the stage `sandbox` where it cannot; every other provider runs `argv` as it stands. From a sandbox provider, and
   * for exactly the `argv` that came with it.
   */
  readonly confinement?: PreparedConfinement | undefined
}

/**
 * How the direct command ended: exactly one of the two is not null. Both are null only when the command outlived even
 * SIGKILL for `graceMs` (the kernel holds it: a dead disk, a frozen cgroup v1), or when its status is lost because
 * somebody else has reaped it (a host that ignores SIGCHLD, another reaper in the host) on a kernel older than 6.15.
 */
export interface SubprocessOutcome {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
}

/**
 * Resources: the first four of the direct command and the descendants that it waited for (getrusage, RUSAGE_CHILDREN
 * semantics), the others of all its processes, up to the moment when the command settled.
 */
export interface ResourceUsage {
  /** Milliseconds from the start of the direct command to its exit, not to the end of its output. */
  readonly wallMs: number
  /** `null` where the provider cannot know (Node's own child processes, a command that somebody else has reaped). */
  readonly userMs: number | null
  /** `null` where `userMs` is. */
  readonly systemMs: number | null
  /**
   * Peak resident memory of the largest process, in bytes. Also `null` when it did not exceed the host's own peak: the
   * kernel counts the host's pages for a child until its execve, so nothing smaller can be told from them.
   */
  readonly maxRssBytes: number | null
  /** CPU time of all processes together, in milliseconds. `null` unless the range is a cgroup folder. */
  readonly treeCpuMs: number | null
  /**
   * The most memory that all processes together have used at one time, in bytes. This one and the two below are known
   * of a command with `limits` for the whole range, by the controllers that come with them; otherwise `null`.
   */
  readonly memoryPeakBytes: number | null
  /** The most processes and threads at one time. */
  readonly pidsPeak: number | null
  /** Processes that the kernel has killed because memory ran out: a SIGKILL with more than 0 here is that one. */
  readonly oomKills: number | null
}

/** The first thing that ended the command from outside, or `null` when it ended by itself. */
export type TerminationCause = 'deadline' | 'terminate'

export interface SubprocessFacts {
  readonly range: RangeKind
  /** `null` while nothing has ended it from outside, and for good once it has exited by itself. */
  readonly cause: TerminationCause | null
  /** True once the range is proven empty; never goes back. In a `group` range a process that left the group is not seen. */
  readonly quiescent: boolean
  /** `null` until `done` has settled, and for a failed start. */
  readonly usage: ResourceUsage | null
}

export interface SubprocessOutputRead {
  readonly text: string
  /** Pass it to the next read to continue. */
  readonly nextOffset: number
  /** The offset lies before the retained window; the text is then the whole retained tail. */
  readonly lossy: boolean
  /** The file with the whole stream so far, once there is one. */
  readonly spillPath?: string
}

/** As `SubprocessOutputRead`, undecoded. */
export interface SubprocessOutputBytes {
  readonly bytes: Uint8Array
  readonly nextOffset: number
  readonly lossy: boolean
  readonly spillPath?: string
}

/** Reads a collected stream by absolute byte offset. Consumes nothing; any number of readers, before and after the exit. */
export interface SubprocessOutputReader {
  /**
   * Text from byte `offset`, decoded as UTF-8. A character that is cut by the retained window is left out, one that is
   * still incomplete at the end of a live stream is held back, so U+FFFD stands only for what the command wrote so.
   * @throws TypeError if `offset` is not a number (NaN included).
   */
  readFrom(offset: number): SubprocessOutputRead
  /** The same window as raw bytes, exact to the byte. */
  readBytesFrom(offset: number): SubprocessOutputBytes
  /** Bytes that the command wrote to this stream so far. */
  readonly totalBytes: number
  /** No more bytes will come. */
  readonly ended: boolean
  /** Why the spill file is missing or incomplete, if that is so. */
  readonly spillError: Error | null
}

export interface SubprocessHandle {
  /** -1 if the command could not be started. Reading it before the start is known waits for it. */
  readonly pid: number
  /** The raw streams, each `null` unless the spec says `pipe` for it. */
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly control: Duplex | null
  /** Readers of the streams that the spec collects. */
  readonly collected: { readonly stdout?: SubprocessOutputReader; readonly stderr?: SubprocessOutputReader }
  /**
   * Settles with the direct command: it has exited and its collected streams have ended, or a leftover still holds one
   * and it has been silent for 100 ms, at the latest `graceMs` after the exit. Rejects only if the start failed.
   */
  readonly done: Promise<SubprocessOutcome>
  /** A snapshot, at any time. */
  readonly facts: SubprocessFacts
  /** Ends the whole range: TERM, after `graceMs` KILL. Idempotent; does nothing once the range is empty. */
  terminate(): void
  /**
   * True when the range is proven empty, false when `signal` aborts first. Stops nothing. Rejects if emptiness can no
   * longer be observed.
   */
  waitForExit(signal?: AbortSignal): Promise<boolean>
}
