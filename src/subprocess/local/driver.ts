// What a provider of local processes implements below the shared handle: one running command, and what it reports.
// The native core and the Node fallback are the two drivers; everything that both need alike stands above this line.

import type { Duplex, Readable, Writable } from 'node:stream'
import type { RangeKind, ResourceUsage, SubprocessSpawnSpec, TerminationCause } from '../types.js'

/** A validated spec with everything resolved that a driver needs: the final environment and all defaults. */
export interface PreparedSpawn extends SubprocessSpawnSpec {
  /** The whole environment of the command, in order. */
  readonly environment: ReadonlyMap<string, string>
  readonly leftovers: 'keep' | 'terminate'
}

export interface DriverExit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly cause: TerminationCause | null
  readonly usage: ResourceUsage
  /** The range was already proven empty when the command settled. */
  readonly quiescent: boolean
}

/** Called by a driver, never before `start` has returned. Each at most once, `failed` alone or `settled` then `quiescent`. */
export interface DriverEvents {
  /** The command could not be started; the range is empty. */
  failed(error: Error): void
  settled(exit: DriverExit): void
  /** The range is proven empty. Comes also when `settled` said so already; may come before `settled`. */
  quiescent(): void
  /** Emptiness can no longer be observed; waits for it reject with this. */
  unobservable(error: Error): void
}

/** The retained window of one collected stream. */
export interface OutputSource {
  /** Retained bytes from max(offset, window start) to the end. `start` is the absolute offset of the first of them. */
  read(offset: number): OutputWindow
  readonly totalBytes: number
  readonly ended: boolean
  readonly spillError: Error | null
}

export interface OutputWindow {
  readonly bytes: Uint8Array
  readonly start: number
  /** Absolute offset of the first byte that is still retained. */
  readonly windowStart: number
  readonly ended: boolean
  readonly spillPath: string | null
}

export interface ProcessDriver {
  readonly pid: number
  readonly range: RangeKind
  /** The first cause so far; null while the command runs by itself. */
  readonly cause: TerminationCause | null
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly control: Duplex | null
  readonly output: { readonly stdout?: OutputSource; readonly stderr?: OutputSource }
  /** TERM, grace, KILL on the range. Idempotent. */
  terminate(): void
  /** KILL on the range now, synchronously; for the last resort at host exit and for failed disposals. */
  kill(): void
}
