// One read of a job's two streams from a watcher's cursor on, within a budget of text. Nothing is consumed, and what the
// budget leaves over is what the next read begins with.

import { heldBackAt, isContinuation } from '../subprocess/output/utf8.js'
import type { SubprocessOutputReader } from '../subprocess/types.js'
import { decoded, firstPart } from './text-cut.js'
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
  const { bytes, nextOffset, lossy, spillPath } = reader.readBytesFrom(offset)
  let from = 0
  // The window begins with dropped bytes before it, and perhaps with the rest of a character that began there.
  while (lossy && from < 3 && isContinuation(bytes[from])) from += 1
  const to = ended ? bytes.length : heldBackAt(bytes, from)
  return { bytes: bytes.subarray(from, to), start: nextOffset - bytes.length + from, lossy, spillPath }
}

function take({ bytes, start }: Stretch, maxBytes: number): Part {
  if (bytes.length === 0) return { text: '', next: start, more: false }
  const { text, length } = firstPart(bytes, maxBytes)
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
  const first = take(stdout, Math.max(half, maxBytes - wish(stderr, maxBytes)))
  const left = maxBytes - Buffer.byteLength(first.text)
  const second = left > 0 ? take(stderr, left) : { text: '', next: stderr.start, more: stderr.bytes.length > 0 }
  return {
    stdout: first.text,
    stderr: second.text,
    next: { stdout: first.next, stderr: second.next },
    more: first.more || second.more,
    lossy: stdout.lossy || stderr.lossy,
    spillPaths: [stdout.spillPath, stderr.spillPath].filter((path) => path !== undefined)
  }
}
