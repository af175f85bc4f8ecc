// The whole native API, exactly as native/addon exports it. Every argument is checked before it gets here: the addon only
// converts. Numbers of enumerations are shared with the C++ headers that are named beside them.

/** SpawnStage in native/spawn/spawn_request.h. */
export const nativeStages = { 1: 'stdio', 2: 'range', 3: 'clone', 4: 'chdir', 5: 'exec' } as const

/** Cause in native/process/process_listener.h. */
export const nativeCauses = { 0: null, 1: 'deadline', 2: 'terminate' } as const

/** Mode in native/addon/request.cc. */
export const nativeModes = { ignore: 0, inherit: 1, pipe: 2, data: 3, collect: 4 } as const

export interface NativeSystemError {
  /** Positive, as the kernel gives it. */
  readonly errno: number
  readonly syscall: string
  /** Empty when the call was not about a file. */
  readonly path: string
}

export type NativeEvent =
  | {
      readonly kind: 'failed'
      readonly id: number
      readonly stage: keyof typeof nativeStages
      readonly errno: number
      readonly path: string
    }
  | {
      readonly kind: 'settled'
      readonly id: number
      readonly exitCode: number | null
      readonly signal: number | null
      readonly cause: keyof typeof nativeCauses
      readonly wallMs: number
      readonly userMs: number
      readonly systemMs: number
      /** `null` when it is below the host's own peak, from which the kernel cannot tell it. */
      readonly maxRssBytes: number | null
      readonly quiescent: boolean
    }
  | { readonly kind: 'quiescent'; readonly id: number }
  | { readonly kind: 'unobservable'; readonly id: number; readonly error: NativeSystemError }

export interface NativeStream {
  readonly mode: (typeof nativeModes)[keyof typeof nativeModes]
  /** For `data`. */
  readonly data?: Uint8Array
  /** For `collect`. 0 is no spill. */
  readonly maxBytes?: number
  readonly spillMaxBytes?: number
}

export interface NativeSpawnRequest {
  /** Every string followed by one NUL. */
  readonly argv: string
  /** Every `NAME=value` followed by one NUL. */
  readonly environment: string
  readonly cwd: string
  readonly graceMs: number
  readonly deadlineMs: number | null
  readonly endLeftovers: boolean
  readonly stdin: NativeStream
  readonly stdout: NativeStream
  readonly stderr: NativeStream
  readonly control: boolean
  readonly attachment: Uint8Array | null
}

export interface NativeWindow {
  /** `null` for no bytes. */
  readonly bytes: Uint8Array | null
  readonly start: number
  readonly windowStart: number
  readonly ended: boolean
  readonly spillPath: string | null
}

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
  /** Tells the garbage collector how much memory this object holds now. */
  accountMemory(): void
}

export interface NativeRuntime {
  /** @throws Error with `systemError` if the core cannot start its threads. */
  spawn(request: NativeSpawnRequest): NativeProcess
  claimSpill(path: string): boolean
  /** Kills what still runs, waits for it that long, removes folders and files. Blocks. False if something remained. */
  close(patienceMs: number): boolean
}

export interface NativeBinding {
  readonly Runtime: new (options: {
    /** A cgroup v2 folder to put commands below; `null` for process groups. */
    readonly cgroupFolder: string | null
    /** The folder of spill files, absolute; made at the first overflow. */
    readonly spillFolder: string
  }) => NativeRuntime
  /** Tries the cgroup range below `parent`, or below the folder of this process. Blocks for about a millisecond. */
  probeCgroup(parent: string | null): { readonly folder: string | null; readonly failure: NativeSystemError | null }
  /** Which calls of the kernel this process may use; none is needed, each has a fallback. */
  hostFeatures(): Readonly<Record<'clone3' | 'closeRange' | 'pidfdOpen' | 'pidfdSignalGroup', boolean>>
  /** Calls `wake`, on the event loop, when there are events to take. Once only. */
  setWake(wake: () => void): void
  /** What has happened since the last call, in order. */
  takeEvents(): readonly NativeEvent[]
}
