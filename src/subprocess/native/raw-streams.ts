// Node streams over the host's ends of raw pipes and of the control channel. The streams own the descriptors.

import type { Duplex, Readable, Writable } from 'node:stream'
import type { NativeProcess } from '../../native/binding.js'
import type { SubprocessStdio } from '../types.js'

export interface RawStreams {
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly control: Duplex | null
}

export const noRawStreams: RawStreams = { stdin: null, stdout: null, stderr: null, control: null }

export function wantsRawStreams({ stdio }: { readonly stdio: SubprocessStdio }): boolean {
  const { stdin, stdout, stderr, control } = stdio
  return stdin === 'pipe' || stdout === 'pipe' || stderr === 'pipe' || control !== undefined
}

export function openRawStreams(process: NativeProcess): RawStreams {
  const [stdin, stdout, stderr, control] = process.takeDescriptors()
  return {
    stdin: open(stdin, { readable: false, writable: true }),
    stdout: open(stdout, { readable: true, writable: false }),
    stderr: open(stderr, { readable: true, writable: false }),
    control: open(control, { readable: true, writable: true })
  }
}

function open(fd: number, direction: { readable: boolean; writable: boolean }): Duplex | null {
  if (fd === -1) return null
  const { Socket } = globalThis.process.getBuiltinModule('node:net')
  // `allowHalfOpen`: the end of one direction of the control channel says nothing about the other.
  const socket = new Socket({ fd, allowHalfOpen: true, ...direction })
  // Writable but not readable: nothing would ever read the end of the stream otherwise, and be told that it was closed.
  if (!direction.readable) socket.on('error', ignoreClosedPipe)
  return socket
}

// A command that does not read its input is no fault of whoever writes; other listeners still hear of it.
function ignoreClosedPipe(): void {}
