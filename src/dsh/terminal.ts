// A terminal of this library as the public packages expect one: what is known at once here is a promise there.

import type { SubprocessTerminalHandle as DshTerminal } from '@deepseek-ai/dsh-subprocess'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import type { SubprocessTerminalHandle, SubprocessTerminalSpawnSpec } from '../subprocess/terminal-types.js'

/** Rejects with what the runtime's `spawnTerminal` rejects with. */
export async function openTerminal(
  runtime: SubprocessRuntime,
  spec: SubprocessTerminalSpawnSpec
): Promise<DshTerminal> {
  return adaptTerminal(await runtime.spawnTerminal(spec))
}

function adaptTerminal(terminal: SubprocessTerminalHandle): DshTerminal {
  return {
    pid: terminal.pid,
    output: terminal.output,
    done: terminal.done,
    write: (data) => terminal.write(data),
    // Async, so that what is thrown becomes a rejection.
    inspectForeground: async () => terminal.inspectForeground(),
    signalForeground: async (signal) => terminal.signalForeground(signal),
    terminate: () => terminal.terminate()
  }
}
