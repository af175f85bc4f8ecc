// Copies of this package at paths of their own, as a dependency that is installed twice: each with its own addon, or
// without any.

import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup/source-imports.js'
import { outdir, transpile } from './host.js'

const folders = readdirSync(join(root, 'src'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name)

/** The URL of the module of the copy that has createContext. */
export function copyOf(name: string, { addon = true } = {}): string {
  transpile()
  const folder = join(outdir, 'copies', name)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }\n')
  for (const part of folders) cpSync(join(outdir, part), join(folder, 'lib', part), { recursive: true })
  const built = join(root, 'build/Release/quiesce.node')
  if (addon && existsSync(built)) {
    mkdirSync(join(folder, 'build/Release'), { recursive: true })
    // A file of its own: the loader takes two names of one file for one library.
    cpSync(built, join(folder, 'build/Release/quiesce.node'))
  }
  return `file://${join(folder, 'lib/context/create-context.js')}`
}
