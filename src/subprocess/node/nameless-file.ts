// A file without a name that a command can read from a descriptor: for data that is there before the command starts.

import * as fs from 'node:fs'
import { join } from 'node:path'
import { randomHex } from '../local/spill-folder.js'

/** Returns a read-only descriptor at the first byte. `folders` are tried in order; the last failure is thrown. */
export function openNameless(data: string | Uint8Array, folders: readonly string[]): number {
  let failure: unknown
  for (const folder of folders) {
    try {
      return openIn(folder, data)
    } catch (error) {
      failure = error
    }
  }
  throw failure
}

/** The name exists only while this runs, for the owner alone. */
function openIn(folder: string, data: string | Uint8Array): number {
  const path = join(folder, `quiesce-${process.pid}-${randomHex()}`)
  const writer = fs.openSync(path, 'wx', 0o600)
  try {
    fs.writeFileSync(writer, data)
    return fs.openSync(path, 'r')
  } finally {
    fs.closeSync(writer)
    fs.unlinkSync(path)
  }
}
