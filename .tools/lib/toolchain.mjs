// Finds what the native addon is built with, and says how to get what is missing.

import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The path of the first of `names` on PATH, or null. */
export function findProgram(...names) {
  for (const name of names) {
    for (const folder of (process.env.PATH ?? '').split(delimiter)) {
      try {
        accessSync(join(folder, name), constants.X_OK)
        return join(folder, name)
      } catch {
        // Not in this folder.
      }
    }
  }
  return null
}

/** What the addon needs and this machine lacks, with one line that mends it; null if nothing is missing. */
export function missingToolchain() {
  if (process.platform !== 'linux') return { missing: 'Linux', remedy: 'the native addon is for Linux only' }
  const missing = []
  if (!findProgram('c++', 'g++', 'clang++')) missing.push('a C++20 compiler')
  if (!findProgram('cmake')) missing.push('cmake')
  if (!findProgram('ninja', 'make', 'gmake')) missing.push('make')
  if (missing.length === 0) return null
  return { missing: missing.join(', '), remedy: 'on Debian and Ubuntu: apt-get install g++ cmake make' }
}
