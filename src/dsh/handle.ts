// A handle of this library as the public packages expect one: streams that were not asked for are `undefined` there, `null`
// here. All else is passed on, and what this library knows more stays within reach.

import type { SubprocessHandle as DshHandle } from '@deepseek-ai/dsh-subprocess'
import type { SubprocessFacts, SubprocessHandle } from '../subprocess/types.js'

export interface QuiesceHandle extends DshHandle {
  /** What ended it, what it used, whether its range is proven empty: a snapshot, at any time. */
  readonly facts: SubprocessFacts
}

export function adaptHandle(handle: SubprocessHandle): QuiesceHandle {
  return {
    // Asked for only when it is read: before the start is known, the answer waits for it.
    get pid() {
      return handle.pid
    },
    stdin: handle.stdin ?? undefined,
    stdout: handle.stdout ?? undefined,
    stderr: handle.stderr ?? undefined,
    collected: handle.collected,
    get done() {
      return handle.done
    },
    get facts() {
      return handle.facts
    },
    terminate: () => handle.terminate(),
    waitForExit: (signal) => handle.waitForExit(signal)
  }
}
