// A prepared spawn in the form that the core takes.

import { type NativeSpawnRequest, type NativeStream, nativeModes } from '../../native/binding.js'
import type { PreparedSpawn } from '../local/driver.js'
import type { SubprocessInput, SubprocessOutput } from '../types.js'

const encoder = new TextEncoder()

const toBytes = (data: string | Uint8Array): Uint8Array => (typeof data === 'string' ? encoder.encode(data) : data)

function toInput(stdin: SubprocessInput): NativeStream {
  if (typeof stdin === 'string') return { mode: nativeModes[stdin] }
  return { mode: nativeModes.data, data: toBytes(stdin.data) }
}

function toOutput(output: SubprocessOutput): NativeStream {
  if (typeof output === 'string') return { mode: nativeModes[output] }
  return { mode: nativeModes.collect, maxBytes: output.maxBytes, spillMaxBytes: output.spill?.maxBytes ?? 0 }
}

function joinEnvironment(environment: ReadonlyMap<string, string>): string {
  let joined = ''
  for (const [name, value] of environment) joined += `${name}=${value}\0`
  return joined
}

export function toNativeRequest(prepared: PreparedSpawn): NativeSpawnRequest {
  const { argv, cwd, stdio, graceMs, deadlineMs, leftovers, environment } = prepared
  return {
    argv: `${argv.join('\0')}\0`,
    environment: joinEnvironment(environment),
    cwd,
    graceMs,
    deadlineMs: deadlineMs ?? null,
    endLeftovers: leftovers === 'terminate',
    stdin: toInput(stdio.stdin),
    stdout: toOutput(stdio.stdout),
    stderr: toOutput(stdio.stderr),
    control: stdio.control !== undefined,
    attachment: stdio.attachment === undefined ? null : toBytes(stdio.attachment.data)
  }
}
