// One read of a job's two streams from a watcher's cursor on, within a budget of text. Nothing is consumed, and what the
// budget leaves over is what the next read begins with.

import { heldBackAt, isContinuation } from '../subprocess/output/utf8.js'
import type { SubprocessOutputReader } from '../subprocess/types.js'
import { decoded, firstPart, lookBackBytes } from './text-cut.js'
import type { JobCursor, JobOutput, JobRead } from './types.js'

export type OutputRead = Omit<JobRead, 'job' | 'notes'>

/** What one stream has from an offset on, undecoded but without the parts of characters at its edges. */
interface Stretch {
  readonly bytes: Uint8Array
  readonly start: number
  readonly lossy: boolean
  readonly spillPath: string | undefined
}

interface Part {
  readonly text: string
  readonly next: number
  readonly more: boolean
}

const noBytes = new Uint8Array()

function stretchFrom(reader: SubprocessOutputReader | undefined, offset: number): Stretch {
  if (reader === undefined) return { bytes: noBytes, start: offset, lossy: false, spillPath: undefined }
  // Asked first: what ends between the two questions is complete with the next read.
  const { ended } = reader
  const { bytes, nextOffset, lossy, spillPath } = reader.readBytesFrom(Math.max(offset - lookBackBytes, 0))
  const start = nextOffset - bytes.length
  const from = Math.max(lossy ? cutByWindow(bytes) : 0, Math.min(offset - start, bytes.length))
  const to = ended ? bytes.length : heldBackAt(bytes, from)
  return { bytes: bytes.subarray(from, to), start: start + from, lossy: offset < start, spillPath }
}

/** How many of the first bytes of a window may belong to a character whose beginning was dropped. */
function cutByWindow(bytes: Uint8Array): number {
  let cut = 0
  while (cut < lookBackBytes && isContinuation(bytes[cut])) cut += 1
  return cut
}

function take({ bytes, start }: Stretch, maxBytes: number, atLeastOne: boolean): Part {
  const { text, length } = firstPart(bytes, maxBytes, atLeastOne)
  return { text, next: start + length, more: length < bytes.length }
}

/** The text bytes that a stretch asks for; exact only as far as it matters. */
function wish({ bytes }: Stretch, maxBytes: number): number {
  return bytes.length > maxBytes ? maxBytes : Buffer.byteLength(decoded(bytes))
}

export function readOutput(output: JobOutput | undefined, from: JobCursor, maxBytes: number): OutputRead {
  const stdout = stretchFrom(output?.stdout, from.stdout)
  const stderr = stretchFrom(output?.stderr, from.stderr)
  const half = Math.ceil(maxBytes / 2)
  // Neither stream can keep the other from being read: each has half, and what the other leaves over.
  const first = take(stdout, Math.max(half, maxBytes - wish(stderr, maxBytes)), true)
  const left = maxBytes - Buffer.byteLength(first.text)
  const second = take(stderr, Math.max(left, 0), first.text === '')
  return {
    stdout: first.text,
    stderr: second.text,
    next: { stdout: first.next, stderr: second.next },
    more: first.more || second.more,
    lossy: stdout.lossy || stderr.lossy,
    spillPaths: [stdout.spillPath, stderr.spillPath].filter((path) => path !== undefined)
  }
}
