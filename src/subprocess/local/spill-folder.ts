// The private folder of one runtime's spill files. Its name is chosen here, a provider makes it (0700, exclusively) at
// the first overflow, and what nobody claimed goes with it at disposal or, synchronously, at the host's exit. Claimed files
// keep the folder for as long as they are in it, at the longest until the host's exit looks again.

import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { addExitTarget } from './exit-hook.js'

export class SpillFolder {
  readonly #parent: string | undefined
  #path: string | null = null
  #removed = false
  #kept = false
  readonly #claimed = new Set<string>()

  constructor(parent: string | undefined) {
    this.#parent = parent
  }

  /** Absolute and stable from the first call on. The folder need not exist. */
  get path(): string {
    this.#path ??= resolve(this.#parent ?? tmpdir(), `quiesce-${process.pid}-${randomHex()}`)
    return this.#path
  }

  /** Keeps `path` out of the removal. False for what is no spill file in this folder. */
  claim(path: string): boolean {
    if (this.#path === null || dirname(path) !== this.#path) return false
    if (this.#claimed.has(path)) return true
    if (this.#removed || !fs.existsSync(path)) return false
    this.#claimed.add(path)
    markClaimed(path)
    return true
  }

  /** The file at `path` went with the folder, so nobody should be sent there any more. */
  isRemoved(path: string): boolean {
    return this.#removed && !this.#claimed.has(path)
  }

  /**
   * Removes all that is not claimed, whoever put it there, and the folder if it is empty then. Synchronous: at exit there
   * is no other way.
   */
  remove(): void {
    this.#removed = true
    if (this.#path === null) return
    for (const name of listing(this.#path)) {
      const path = join(this.#path, name)
      if (!this.#claimed.has(path)) fs.rmSync(path, { force: true, recursive: true })
    }
    if (removeEmpty(this.#path) || this.#kept) return
    this.#kept = true
    const path = this.#path
    addExitTarget({ hostExit: () => void removeEmpty(path) })
  }
}

/** For whoever finds the folder after a crash (spill-leftovers.ts). */
function markClaimed(path: string): void {
  try {
    if (fs.lstatSync(path).isFile()) fs.chmodSync(path, 0o600)
  } catch {
    // It has just been removed, or is not ours: then nobody else removes it either.
  }
}

function listing(folder: string): string[] {
  try {
    // What a link in its place leads to is not ours to empty.
    return fs.lstatSync(folder).isDirectory() ? fs.readdirSync(folder) : []
  } catch (error) {
    // Nothing ever overflowed, so nothing was made.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
}

/** False if something is in it. */
function removeEmpty(folder: string): boolean {
  try {
    fs.rmdirSync(folder)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // EEXIST: POSIX leaves a file system the choice.
    if (code === 'ENOTEMPTY' || code === 'EEXIST') return false
    // ENOTDIR: a command has put something else in its place.
    if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error
  }
  return true
}

/** Twelve hex digits. Not a secret: the folder is made exclusively, so a guessed name can only make that fail. */
export function randomHex(): string {
  return Math.floor(Math.random() * 2 ** 48)
    .toString(16)
    .padStart(12, '0')
}
