// A prepared spawn in the flat form that the core takes.

import { nativeModes, requestField, requestFields } from '../../native/binding.js'
import type { PreparedSpawn } from '../local/driver.js'
import { limitNames } from '../preflight-limits.js'
import type { SubprocessLimits, SubprocessOutput } from '../types.js'

export interface FlatSpawn {
  readonly argv: string
  readonly environment: string
  readonly numbers: Float64Array
  readonly stdinData: Uint8Array | null
  readonly attachment: Uint8Array | null
  readonly confinement: string | null
}

const encoder = new TextEncoder()
// The core copies the numbers before the call returns, so one array serves all calls.
const numbers = new Float64Array(requestFields)

const toBytes = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? encoder.encode(data) : data)

// Successive commands mostly share one environment.
let lastEnvironment: ReadonlyMap<string, string> | null = null
let lastJoined = ''

export function joinEnvironment(environment: ReadonlyMap<string, string>): string {
  if (environment === lastEnvironment) return lastJoined
  let joined = ''
  for (const [name, value] of environment) joined += `${name}=${value}\0`
  lastEnvironment = environment
  lastJoined = joined
  return joined
}

/** Mode, memory and spill of an output stand side by side from `place` on. */
function setOutput(place: number, output: SubprocessOutput): void {
  const collects = typeof output !== 'string'
  numbers[place] = nativeModes[collects ? 'collect' : output]
  numbers[place + 1] = collects ? output.maxBytes : 0
  numbers[place + 2] = collects ? (output.spill?.maxBytes ?? 0) : 0
}

const unlimited: SubprocessLimits = {}

function setLimits(limits: SubprocessLimits = unlimited): void {
  for (const name of limitNames) numbers[requestField[name]] = limits[name] ?? 0
}

/** `numbers` is valid until the next call. */
export function toFlatSpawn(prepared: PreparedSpawn): FlatSpawn {
  const { argv, stdio, graceMs, deadlineMs, leftovers, limits, environment, confinement } = prepared
  const { stdin, stdout, stderr, control, attachment } = stdio
  numbers[requestField.graceMs] = graceMs
  numbers[requestField.deadlineMs] = deadlineMs ?? -1
  numbers[requestField.endLeftovers] = Number(leftovers === 'terminate')
  numbers[requestField.control] = Number(control !== undefined)
  numbers[requestField.stdinMode] = nativeModes[typeof stdin === 'string' ? stdin : 'data']
  setOutput(requestField.stdoutMode, stdout)
  setOutput(requestField.stderrMode, stderr)
  setLimits(limits)
  return {
    argv: `${argv.join('\0')}\0`,
    environment: joinEnvironment(environment),
    numbers,
    stdinData: typeof stdin === 'string' ? null : toBytes(stdin.data),
    attachment: attachment === undefined ? null : toBytes(attachment.data),
    confinement: confinement === undefined ? null : confinement.order
  }
}
