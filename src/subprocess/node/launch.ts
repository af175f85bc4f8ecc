// How a command of the fallback becomes a process, and what then holds its processes together. The driver runs a command
// by these words alone, whichever range it has.

import { SubprocessError } from '../../errors/subprocess-error.js'
import type { PreparedSpawn } from '../local/driver.js'
import type { RangeKind } from '../types.js'
import { type ProcessTree, processTree } from './process-tree.js'
import { startError } from './start-error.js'

/** What child_process is to run. */
export interface LaunchedAs {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** A descriptor of the host and its number in the new process. The launch closes the host's. */
  readonly request?: { readonly fd: number; readonly as: number }
}

/** One command. */
export interface Launch {
  readonly range: RangeKind
  /** @throws Error, as `done` is to reject with, when the command cannot be started. */
  prepare(): LaunchedAs
  /** The error for `done` when child_process refuses what `prepare` gave. */
  refused(error: Error): Error
  /** `unkillable` is told why a KILL could not be sent. */
  tree(pid: number, exited: () => boolean, unkillable: (error: Error) => void): ProcessTree
  /**
   * The process has been reaped, or there is none. Null if it had become the command; else what gives the error for `done`,
   * to be called unless it was stopped before.
   */
  end(): (() => Error) | null
}

/** The process is the command, and the leader of the group that holds what it starts. */
export class GroupLaunch implements Launch {
  readonly range = 'group'
  readonly #prepared: PreparedSpawn

  constructor(prepared: PreparedSpawn) {
    this.#prepared = prepared
  }

  prepare(): LaunchedAs {
    const { argv, environment } = this.#prepared
    return { argv, environment: Object.fromEntries(environment) }
  }

  refused(error: Error): Error {
    return startError(error, this.#prepared)
  }

  tree(pid: number, exited: () => boolean): ProcessTree {
    return processTree(pid, exited)
  }

  end(): null {
    return null
  }
}

export function rangeError(
  { argv }: { readonly argv: readonly string[] },
  errno: number,
  path?: string
): SubprocessError {
  return new SubprocessError({ stage: 'range', errno, argv0: argv[0] ?? '', path })
}
