// Signals to a command in a scope. Until the bootstrap has told where the scope is, there is one process, and its group is
// all there is to signal; from then on it is the whole scope.

import type { ProcessTree } from '../process-tree.js'
import type { Scope } from './scope-folder.js'

export interface ScopeTreeParts {
  /** The group of the direct process. */
  readonly group: ProcessTree
  /** Whether the direct process has been reaped. */
  readonly exited: () => boolean
  /** Null until the scope is known. */
  readonly scope: () => Scope | null
  readonly unkillable: (error: Error) => void
}

export class ScopeTree implements ProcessTree {
  readonly #parts: ScopeTreeParts

  constructor(parts: ScopeTreeParts) {
    this.#parts = parts
  }

  terminate(): void {
    const scope = this.#parts.scope()
    if (scope === null) {
      this.#parts.group.terminate()
    } else {
      scope.signal('SIGTERM')
      scope.signal('SIGCONT')
    }
  }

  kill(): void {
    const { group, exited, unkillable } = this.#parts
    const scope = this.#parts.scope()
    // Once the direct process is gone its number may be a stranger's.
    if (scope === null || !exited()) group.kill()
    const failure = scope?.kill() ?? null
    if (failure !== null && scope?.populated()) unkillable(failure)
  }

  exists(): boolean {
    const scope = this.#parts.scope()
    return scope === null ? this.#parts.group.exists() : scope.populated()
  }
}
