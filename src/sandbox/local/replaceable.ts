// A program that commands may overwrite is no guard of those that come after them.

import { isWithin, resolvedPath } from '../canonical-path.js'
import type { SandboxProfile } from './profile.js'

export function replaceable(program: string, { roots }: SandboxProfile): string[] {
  // A descriptor of this process, whose file has no name that could be written to.
  if (program.startsWith('/proc/')) return []
  const place = resolvedPath(program) ?? program
  if (!roots.some((root) => isWithin(place, root))) return []
  return [
    `${program} lies in a folder that commands may write to: one could replace it and free those that come after it`
  ]
}
