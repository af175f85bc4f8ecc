// A file without a name that a command can read from a descriptor: for data that is there before the command starts.

import * as fs from 'node:fs'
import { join } from 'node:path'
import { randomHex } from '../local/spill-folder.js'

/**
 * Returns a descriptor at the first byte, for reading and with `a+` also for writing at the end. `folders` are tried in
 * order; the last failure is thrown.
 */
export function openNameless(data: string | Uint8Array, folders: readonly string[], flags: 'r' | 'a+' = 'r'): number {
  let failure: unknown
  for (const folder of folders) {
    try {
      return openIn(folder, data, flags)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** The name exists only while this runs, for the owner alone. */
function openIn(folder: string, data: string | Uint8Array, flags: string): number {
  const path = join(folder, `quiesce-${process.pid}-${randomHex()}`)
  const writer = fs.openSync(path, 'wx', 0o600)
  try {
    fs.writeFileSync(writer, data)
    return fs.openSync(path, flags)
  } finally {
    fs.closeSync(writer)
    fs.unlinkSync(path)
  }
}
