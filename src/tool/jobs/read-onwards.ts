// Reads what a watcher has not seen of a job, as much as one message holds: the bound is of the whole message, with its
// notices and its last line, and what is left out comes with the next one.

import type { JobRegistry } from '../../jobs/registry.js'
import type { JobAccess, JobRead } from '../../jobs/types.js'
import { cursorsOf } from './cursors.js'

/**
 * Moves the watcher's cursor. A message that is too long even with nothing but its notices is left to whoever renders it.
 * @param compose The message that the read will be told in.
 */
export function readOnwards(
  jobs: JobRegistry,
  id: string,
  access: JobAccess,
  limitBytes: number,
  compose: (read: JobRead) => string
): JobRead {
  const cursors = cursorsOf(jobs)
  const from = cursors.get(id, access.owner)
  const bytesBeyond = (read: JobRead): number => Buffer.byteLength(compose(read)) - limitBytes
  let maxBytes = limitBytes
  let read = jobs.read(id, { ...access, from, maxBytes })
  // Reading takes nothing away, so it may be tried again with less. Each time at least one byte less.
  for (let beyond = bytesBeyond(read); beyond > 0 && maxBytes > 1; beyond = bytesBeyond(read)) {
    maxBytes = Math.max(1, Math.min(maxBytes, printedBytes(read)) - beyond)
    read = jobs.read(id, { ...access, from, maxBytes })
  }
  cursors.set(id, access.owner, read.next)
  return read
}

const printedBytes = ({ stdout, stderr }: JobRead): number => Buffer.byteLength(stdout) + Buffer.byteLength(stderr)
