// The whole native API, exactly as native/addon exports it. Every argument is checked before it gets here: the addon only
// converts. Numbers of enumerations are shared with the C++ headers that are named beside them.

/** SpawnStage in native/spawn/spawn_request.h. */
export const nativeStages = {
  1: 'stdio',
  2: 'range',
  3: 'clone',
  4: 'chdir',
  5: 'exec',
  6: 'sandbox',
  7: 'limits'
} as const

/** Cause in native/process/process_listener.h. */
export const nativeCauses = { 0: null, 1: 'deadline', 2: 'terminate' } as const

/** RequestMode in native/spawn/request_decoder.h. */
export const nativeModes = { ignore: 0, inherit: 1, pipe: 2, data: 3, collect: 4 } as const

export interface NativeSystemError {
  /** Positive, as the kernel gives it. */
  readonly errno: number
  readonly syscall: string
  /** Empty when the call was not about a file. */
  readonly path: string
}

/**
 * One event in a batch: `eventFields` numbers, at these places. `NaN` stands for a fact that there is not. Layout:
 * EventField in native/addon/event_batch.h.
 */
export const eventFields = 14
export const eventField = {
  processId: 0,
  kind: 1,
  // of a failed start
  stage: 2,
  errno: 3,
  // of a settled command
  exitCode: 2,
  signal: 3,
  cause: 4,
  wallMs: 5,
  userMs: 6,
  systemMs: 7,
  maxRssBytes: 8,
  quiescent: 9,
  // of writes to a terminal: how many the kernel has taken so far
  writes: 2,
  treeCpuMs: 10,
  memoryPeakBytes: 11,
  pidsPeak: 12,
  oomKills: 13
} as const

/**
 * EventKind in native/addon/event_batch.h. An event tells nothing more than its numbers; `process.trouble()` has texts.
 * `unguarded` is about a runtime: no guardian could be started (`errno`), or it ended by itself (0). The last three are
 * about terminals.
 */
export const eventKinds = {
  failed: 0,
  settled: 1,
  quiescent: 2,
  unobservable: 3,
  unguarded: 4,
  started: 5,
  readable: 6,
  written: 7
} as const

/**
 * The numbers of a spawn request, at these places. Layout: RequestField in native/spawn/request_decoder.h. `deadlineMs` is
 * -1 for none, `spillMaxBytes` and each limit 0 for none.
 */
export const requestFields = 17
export const requestField = {
  graceMs: 0,
  deadlineMs: 1,
  endLeftovers: 2,
  control: 3,
  stdinMode: 4,
  stdoutMode: 5,
  stdoutMaxBytes: 6,
  stdoutSpillMaxBytes: 7,
  stderrMode: 8,
  stderrMaxBytes: 9,
  stderrSpillMaxBytes: 10,
  memoryBytes: 11,
  pids: 12,
  cpus: 13,
  cpuSeconds: 14,
  fileBytes: 15,
  openFiles: 16
} as const

/** Bytes (`null` for none), the absolute offset of the first, that of the oldest byte kept, ended, the spill file. */
export type NativeWindow = [
  bytes: Uint8Array | null,
  start: number,
  windowStart: number,
  ended: boolean,
  spillPath: string | null
]

/** 0 is stdout, 1 is stderr; only for a stream that is collected. */
export type NativeStreamIndex = 0 | 1

export interface NativeProcess {
  readonly id: number
  /** Waits until the start is known; -1 if it failed. */
  readonly pid: number
  readonly cause: keyof typeof nativeCauses
  terminate(): void
  kill(): void
  /** The host's ends of stdin, stdout, stderr and control, -1 where there is none. The caller owns them; once only. */
  takeDescriptors(): [number, number, number, number]
  read(stream: NativeStreamIndex, offset: number): NativeWindow
  total(stream: NativeStreamIndex): number
  ended(stream: NativeStreamIndex): boolean
  spillError(stream: NativeStreamIndex): NativeSystemError | null
  /**
   * What the last `failed` (only its path) or `unobservable` event was about. Of a failed `sandbox` stage `syscall` is the
   * step, in words, and `path` what the preparing program said, if anything. Of a failed `limits` stage `syscall` is the
   * name of the limit, and `path` the file that it was refused at, the hard limit that it is above, or empty where the
   * range has no such limits.
   */
  trouble(): NativeSystemError
  /** Tells the garbage collector how much memory this object holds now. */
  accountMemory(): void
}

/** The numbers of a terminal's request, at these places. Layout: TerminalField in native/spawn/request_decoder.h. */
export const terminalFields = 3
export const terminalField = { graceMs: 0, rows: 1, cols: 2 } as const

/** WriteAnswer in native/terminal/terminal.h. */
export const writeAnswers = { queued: 0, ended: 1, full: 2, lineTooLong: 3 } as const

/** A command in a terminal of its own. Of the events of a process it has all, and three more. */
export interface NativeTerminal {
  readonly id: number
  /** Known when `started` has been told. */
  readonly pid: number
  terminate(): void
  kill(): void
  trouble(): NativeSystemError
  /** Output, at most so many bytes; `false` if there is none yet, `true` if there will be none any more. */
  take(mostBytes: number): Uint8Array | boolean
  /** Copies the bytes. Only a write that is queued counts among those that `written` tells of. */
  write(data: Uint8Array): (typeof writeAnswers)[keyof typeof writeAnswers]
  /** Does nothing after the end. */
  resize(rows: number, cols: number): void
  /** The process group in the foreground; 0 where there is none. */
  foreground(): number
  /** Whether a thread of the group provably waits for input from this terminal. */
  inputWanted(group: number): boolean
}

export interface NativeRuntime {
  /** In the place of a process's id in events that are about the runtime. */
  readonly id: number
  /**
   * @param argv Every string followed by one NUL.
   * @param environment Every `NAME=value` followed by one NUL.
   * @param confinement The program that prepares it and its options, every string followed by one NUL; `null` for none.
   * @throws Error with `systemError` if the core cannot start its threads.
   */
  spawn(
    argv: string,
    environment: string,
    cwd: string,
    numbers: Float64Array,
    stdinData: Uint8Array | null,
    attachment: Uint8Array | null,
    confinement: string | null
  ): NativeProcess
  /** As `spawn`, in a terminal. */
  spawnTerminal(argv: string, environment: string, cwd: string, numbers: Float64Array): NativeTerminal
  claimSpill(path: string): boolean
  /** Kills what still runs, waits for it that long, removes folders and files. Blocks. False if something remained. */
  close(patienceMs: number): boolean
}

/** How commands are held together; read by native/addon/range_option.cc. */
export type NativeRangeOptions =
  /** Below `folder`, a cgroup v2 folder. */
  | { readonly kind: 'cgroup'; readonly folder: string }
  /** Below `program`, quiesce-supervisor, one for each command. */
  | { readonly kind: 'supervisor'; readonly program: string }
  | NativeScopeOptions
  | { readonly kind: 'group' }

/** In a systemd scope, through a launcher; LauncherOptions in native/scope/launcher_start.h. */
export interface NativeScopeOptions {
  readonly kind: 'scope'
  /** The path of quiesce-runner, without `$`. */
  readonly runner: string
  /** Of systemd-run: every `NAME=value` followed by one NUL. */
  readonly environment: string
  /** How long the launcher may take for its first word. */
  readonly patienceMs: number
}

export interface NativeBinding {
  readonly Runtime: new (options: {
    readonly range: NativeRangeOptions
    /** The folder of spill files, absolute; made at the first overflow. */
    readonly spillFolder: string
    /** quiesce-runner, which is the guardian too; empty where there is none. */
    readonly runner: string
    /** The commands go on if this process is killed, and their folders stay. */
    readonly leaveOnCrash: boolean
  }) => NativeRuntime
  /** Tries the cgroup range below `parent`, or below the folder of this process. Blocks for about a millisecond. */
  probeCgroup(parent: string | null): { readonly folder: string | null; readonly failure: NativeSystemError | null }
  /**
   * Tries the supervisor range with `program`, quiesce-supervisor; what failed, or `null`. Blocks for some milliseconds, for
   * a second where commands cannot be ended.
   */
  probeSupervisor(program: string): NativeSystemError | null
  /** Starts a launcher, a process in its scope, and ends both. Blocks for some 30 ms, at most for a little over the patience. */
  probeScope(options: NativeScopeOptions): NativeSystemError | null
  /** Which calls of the kernel this process may use; none is needed, each has a fallback. */
  hostFeatures(): Readonly<Record<'clone3' | 'closeRange' | 'pidfdOpen' | 'pidfdSignalGroup', boolean>>
  /** Grows whenever the environment of the process differs from that at the last call. */
  environmentVersion(): number
  /** Calls `wake`, on the event loop, when there are events to take. Once only. */
  setWake(wake: () => void): void
  /** What has happened since the last call, in order. */
  takeEvents(): Float64Array
}
