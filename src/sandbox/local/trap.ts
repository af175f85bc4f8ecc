// A folder that a confined program tries to harm: what a backend claims counts for nothing if the trap is harmed.

import { promises as fs, readlinkSync } from 'node:fs'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { isWithin, resolvedPath } from '../canonical-path.js'
import type { SandboxProfile } from './profile.js'

export const trapFiles = ['kept', 'secret', 'target'] as const

export interface Trap {
  readonly folder: string
  /** The content of each of its files. */
  readonly token: string
  /** What harm has been done, or `null`. */
  harm(): Promise<string | null>
  remove(): Promise<void>
}

/** Where a trap can lie: this process may write there, a command of this profile must not. */
function places({ roots, hidden }: SandboxProfile): string[] {
  const candidates = [tmpdir(), '/var/tmp', process.env.XDG_RUNTIME_DIR ?? '', homedir()]
  const closed = [...roots, ...hidden.map(({ path }) => path)]
  return candidates.flatMap((candidate) => {
    const place = candidate === '' ? null : resolvedPath(candidate)
    return place === null || closed.some((root) => isWithin(place, root)) ? [] : [place]
  })
}

async function makeFolder(profile: SandboxProfile): Promise<string | null> {
  for (const place of places(profile)) {
    try {
      return await fs.mkdtemp(join(place, `quiesce-${process.pid}-probe-`))
    } catch {
      // Not writable for this process either: the next one.
    }
  }
  return null
}

async function harmOf(folder: string, token: string): Promise<string | null> {
  const names = (await fs.readdir(folder)).sort()
  if (names.join() !== trapFiles.join()) return `files were made or removed in ${folder}`
  const texts = await Promise.all(names.map((name) => fs.readFile(join(folder, name), 'utf8')))
  return texts.every((text) => text === token) ? null : `a file in ${folder} was written to`
}

/** `null` where this process itself can write nowhere that the profile forbids. */
export async function setTrap(profile: SandboxProfile): Promise<Trap | null> {
  const folder = await makeFolder(profile)
  if (folder === null) return null
  const token = folder.slice(-6)
  const remove = (): Promise<void> => fs.rm(folder, { recursive: true, force: true })
  try {
    await Promise.all(trapFiles.map((name) => fs.writeFile(join(folder, name), token)))
  } catch (error) {
    await remove()
    throw error
  }
  return { folder, token, harm: () => harmOf(folder, token), remove }
}

/** Which network this process is in; `null` where that cannot be told. */
export function ownNetwork(): string | null {
  try {
    return readlinkSync('/proc/self/ns/net')
  } catch {
    return null
  }
}
