// The paths of all that is in a folder, without what links lead to.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'

export const pathsBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true, recursive: true }).map((entry) => join(entry.parentPath, entry.name))
