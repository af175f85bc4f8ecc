// What a command may have put in the place of something that its policy names. Whoever may write to a folder can rename what
// lies in it and leave a symbolic link behind, or carry a hidden file out of the way with its folder; the next command of the
// same policy must not follow. Only what lies below a writable root is watched: elsewhere nobody but the host has changed it.

import { lstatSync } from 'node:fs'
import { dirname } from 'node:path'
import { isWithin, resolvedPath } from '../canonical-path.js'
import type { SandboxExecutionPolicy } from '../types.js'
import type { SandboxProfile } from './profile.js'

/** Device and inode, `undefined` where nothing is. */
function identityOf(path: string): string | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false, bigint: true })
  return stat && `${stat.dev}:${stat.ino}`
}

/** Strictly below: a root of its own cannot be renamed by whoever is confined to it. */
const isBelow = (path: string, root: string): boolean => path !== root && isWithin(path, root)

export class Replaced {
  /** Where a root that lies inside another one led to when it was first used. */
  readonly #roots = new Map<string, string>()
  /** The folders above a hidden path that a command could rename, as they were when it was first hidden. */
  readonly #foldersAbove = new Map<string, ReadonlyMap<string, string>>()

  /** Why the policy cannot be trusted any more, or `null`. Remembers what it sees for the first time. */
  reason(policy: SandboxExecutionPolicy, profile: SandboxProfile): string | null {
    if (profile.mode === 'read-only') return this.#hiddenReason(policy, profile)
    return this.#rootReason(policy, profile) ?? this.#hiddenReason(policy, profile)
  }

  #rootReason(policy: SandboxExecutionPolicy, { roots }: SandboxProfile): string | null {
    for (const given of [policy.workspaceRoot, ...(policy.writableRoots ?? [])]) {
      const place = resolvedPath(given)
      const before = this.#roots.get(given)
      if (before !== undefined && before !== place) {
        const now = place === null ? 'does not exist any more' : `leads to ${place}`
        return `the writable root ${given} led to ${before} and now ${now}: a command may have replaced it`
      }
      if (place !== null && roots.some((root) => isBelow(place, root))) this.#roots.set(given, place)
    }
    return null
  }

  #hiddenReason(policy: SandboxExecutionPolicy, profile: SandboxProfile): string | null {
    for (const given of policy.hiddenPaths ?? []) {
      for (const [folder, before] of this.#foldersAbove.get(given) ?? []) {
        if (identityOf(folder) === before) continue
        return `the folder ${folder}, which holds the hidden ${given}, is not the one it was: a command may have moved it`
      }
      if (profile.mode === 'read-only' || this.#foldersAbove.has(given)) continue
      const place = resolvedPath(given)
      if (place !== null) this.#foldersAbove.set(given, foldersAbove(place, profile.roots))
    }
    return null
  }
}

function foldersAbove(place: string, roots: readonly string[]): ReadonlyMap<string, string> {
  const folders = new Map<string, string>()
  for (let folder = dirname(place); roots.some((root) => isBelow(folder, root)); folder = dirname(folder)) {
    const identity = identityOf(folder)
    if (identity !== undefined) folders.set(folder, identity)
  }
  return folders
}
