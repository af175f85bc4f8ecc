// A command that the core could not even take: it has no process, and its streams are empty.

import type { DriverEvents, OutputSource, PreparedSpawn, ProcessDriver } from '../local/driver.js'
import type { RangeKind } from '../types.js'

const empty: OutputSource = {
  read: () => ({ bytes: new Uint8Array(0), start: 0, windowStart: 0, ended: true, spillPath: null }),
  totalBytes: 0,
  ended: true,
  spillError: null
}

/** Reports `error` once the caller has the driver. */
export function failedDriver(
  range: RangeKind,
  prepared: PreparedSpawn,
  events: DriverEvents,
  error: Error
): ProcessDriver {
  queueMicrotask(() => events.failed(error))
  const { stdout, stderr } = prepared.stdio
  return {
    pid: -1,
    range,
    cause: null,
    stdin: null,
    stdout: null,
    stderr: null,
    control: null,
    output: {
      ...(typeof stdout === 'object' && { stdout: empty }),
      ...(typeof stderr === 'object' && { stderr: empty })
    },
    terminate() {},
    kill() {}
  }
}
