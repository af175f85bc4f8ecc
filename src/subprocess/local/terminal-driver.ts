// What a provider of local terminals implements below the runtime: a handle that can also be killed at once.

import type { SubprocessTerminalHandle, SubprocessTerminalSpawnSpec } from '../terminal-types.js'

/** A checked spec with the final environment. */
export interface PreparedTerminal extends SubprocessTerminalSpawnSpec {
  /** The whole environment of the command, in order; names a TERM. */
  readonly environment: ReadonlyMap<string, string>
}

export interface LocalTerminal extends SubprocessTerminalHandle {
  /** KILL on everything of the terminal now, synchronously; for the last resort at host exit and failed disposals. */
  kill(): void
  /** The direct command has exited and no process of the terminal is left. Never rejects. */
  readonly over: Promise<void>
}
