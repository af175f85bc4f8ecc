// Starts a terminal through the native core, and tells when its command runs or why it does not.

import {
  eventField,
  eventKinds,
  type NativeTerminal as Native,
  type NativeRuntime,
  terminalField,
  terminalFields
} from '../../../native/binding.js'
import type { LoopHold } from '../../local/loop-hold.js'
import type { LocalTerminal, PreparedTerminal } from '../../local/terminal-driver.js'
import type { RangeKind } from '../../types.js'
import { coreFailure } from '../core-failure.js'
import type { Dispatcher } from '../dispatcher.js'
import { startError } from '../native-driver.js'
import { joinEnvironment } from '../spawn-request.js'
import { NativeTerminal } from './native-terminal.js'

export interface TerminalCore {
  readonly runtime: NativeRuntime
  readonly dispatcher: Dispatcher
  readonly hold: LoopHold
  readonly range: RangeKind
}

export async function startNativeTerminal(prepared: PreparedTerminal, core: TerminalCore): Promise<LocalTerminal> {
  const { dispatcher, hold, range } = core
  const native = spawn(prepared, core)
  const release = hold.acquire()
  try {
    return await new Promise<LocalTerminal>((resolve, reject) => {
      let terminal: NativeTerminal | null = null
      dispatcher.listen(native.id, (batch, at) => {
        const kind = batch[at + eventField.kind]
        if (kind === eventKinds.started) {
          terminal = new NativeTerminal(native, range, prepared.graceMs, hold)
          resolve(terminal)
        } else if (kind === eventKinds.failed) {
          dispatcher.forget(native.id)
          reject(startError(batch, at, native.trouble(), prepared))
        } else if (terminal !== null) {
          terminal.handle(batch, at)
          if (terminal.finished) dispatcher.forget(native.id)
        }
      })
    })
  } finally {
    release()
  }
}

function spawn({ argv, environment, cwd, graceMs, rows, cols }: PreparedTerminal, core: TerminalCore): Native {
  const numbers = new Float64Array(terminalFields)
  numbers[terminalField.graceMs] = graceMs
  numbers[terminalField.rows] = rows
  numbers[terminalField.cols] = cols
  try {
    return core.runtime.spawnTerminal(`${argv.join('\0')}\0`, joinEnvironment(environment), cwd, numbers)
  } catch (error) {
    throw coreFailure(error, { argv })
  }
}
