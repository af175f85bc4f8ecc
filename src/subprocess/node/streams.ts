// The host's ends of a command's streams.

import type * as Net from 'node:net'
import type { Duplex, Readable, Writable } from 'node:stream'
import type { CollectedStream, Collector } from './collector.js'

// Loaded at first use: importing this package must not pay for it.
function streams() {
  return process.getBuiltinModule('node:stream')
}

/** One for all: a chunk is taken out of it before the next one is read, into this or another stream. */
let shared: Buffer | undefined

/** Reads `fd` into `collector` without a buffer of its own for each chunk. Closes `fd` in the end. */
export function collectDescriptor(fd: number, collector: Collector): void {
  shared ??= Buffer.allocUnsafeSlow(65_536)
  const callback = (bytesRead: number, buffer: Uint8Array): boolean => {
    collector.accept(buffer.subarray(0, bytesRead))
    return !collector.paused
  }
  const socket = new (net().Socket)({
    fd,
    readable: true,
    writable: false,
    onread: { buffer: shared, callback }
  } as object)
  collector.follow(socket)
  // Only a stream that flows tells that it has ended.
  socket.resume()
}

export function collectStream(stream: CollectedStream, collector: Collector): void {
  collector.follow(stream)
  stream.on('data', (chunk: Uint8Array) => collector.accept(chunk))
}

export function readDescriptor(fd: number): Readable {
  return new (net().Socket)({ fd, readable: true, writable: false })
}

/** Stand-ins for the streams of a command that never was: they have ended already. */
export function endedReadable(): Readable {
  return streams().Readable.from([])
}

export function endedWritable(): Writable {
  const stream = new (streams().Writable)()
  stream.destroy()
  return stream
}

export function endedDuplex(): Duplex {
  const stream = new (streams().Duplex)({ read() {} })
  stream.destroy()
  return stream
}

function net(): typeof Net {
  return process.getBuiltinModule('node:net') as typeof Net
}
