// The subprocess seam: argv in, a handle on a range of processes out. No shell, no session, no policy.

import type { SubprocessTerminalHandle, SubprocessTerminalSpawnSpec } from './terminal-types.js'
import type { RangeReport, SubprocessEnvironment, SubprocessHandle, SubprocessSpawnSpec } from './types.js'

export abstract class SubprocessRuntime {
  /** The range kind that commands of this runtime run in. */
  abstract readonly range: RangeReport

  /**
   * Starts `spec.argv`. Bad input throws before anything exists, in this order: graceMs, an aborted signal, argv[0], then
   * the rest; a runtime that has been disposed throws too. A command that cannot be started gives a handle with pid -1
   * whose `done` rejects with a `SubprocessError`.
   */
  abstract spawn(spec: SubprocessSpawnSpec): SubprocessHandle

  /**
   * Starts `spec.argv` in a pseudoterminal of its own, as the leader of a session of its own. Rejects for bad input before
   * anything exists, in this order: graceMs, an aborted signal (with its reason), argv[0], then the rest; with a
   * `SubprocessError` when the program cannot be started; with a `TerminalUnavailableError` where this provider has no
   * terminals; with the reason of `spec.signal` when that aborts before the terminal is handed over.
   */
  abstract spawnTerminal(spec: SubprocessTerminalSpawnSpec): Promise<SubprocessTerminalHandle>

  /**
   * Finds the absolute path that `command` names: an absolute path is checked, a bare name is searched on the PATH of the
   * scrubbed environment with `env` over it. A relative path with a separator is refused. Rejects if there is no such
   * file that may be executed, and with the reason of `signal` once that aborts.
   */
  abstract resolveExecutable(command: string, env?: SubprocessEnvironment, signal?: AbortSignal): Promise<string>

  /**
   * Makes a spill file the caller's own: disposal will not remove it. False if it is no spill file of this runtime. The
   * private folder around it goes at disposal, or at the latest when the host exits, if the file has been moved or
   * removed by then.
   */
  abstract claimSpill(path: string): boolean

  /**
   * Ends every range and waits for each: its `done` and its emptiness. One failure never stops the others; a single one
   * is rethrown unchanged, several become an `AggregateError`. Removes spill files and cgroup folders. Idempotent.
   */
  abstract dispose(): Promise<void>

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
