// The C programs of this folder, each compiled from all files of a folder when first asked for and again when one is newer.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../setup/source-imports.js'

const built = join(root, 'build-fixtures')
const flags = ['-O1', '-static', '-no-pie', '-D_GNU_SOURCE', '-Wall', '-Wextra', '-Wshadow', '-Werror']

function compile(name: string, folder: string, wanted: (file: string) => boolean): string {
  const program = join(built, name)
  const paths = readdirSync(folder).map((file) => join(folder, file))
  if (existsSync(program)) {
    const { mtimeMs } = statSync(program)
    if (paths.every((path) => statSync(path).mtimeMs < mtimeMs)) return program
  }
  mkdirSync(built, { recursive: true })
  const sources = paths.filter((path) => path.endsWith('.c') && wanted(path))
  // Whoever asks at the same time gets a whole program or none.
  const unfinished = `${program}.${process.pid}`
  execFileSync('cc', [...flags, '-o', unfinished, ...sources], { stdio: 'pipe' })
  renameSync(unfinished, program)
  return program
}

const folderOf = (name: string): string => join(root, 'test/sandbox/escape', name)

export const attackProgram = (): string => compile('escape-attack', folderOf('attacks'), () => true)
export const victimProgram = (): string =>
  compile('escape-victim', folderOf('victim'), (path) => !path.endsWith('with-key.c'))
export const withKeyProgram = (): string =>
  compile('escape-with-key', folderOf('victim'), (path) => path.endsWith('with-key.c'))

let arena: string | null = null

/** The arena's own code as one file. */
export function arenaProgram(): string {
  if (arena !== null) return arena
  const outfile = join(built, 'arena.mjs')
  const format = ['--bundle', '--platform=node', '--packages=external', '--format=esm', '--target=node20']
  const args = ['test/sandbox/escape/arena/main.ts', ...format, `--outfile=${outfile}`, '--log-level=error']
  execFileSync(join(root, 'node_modules/.bin/esbuild'), args, { cwd: root })
  arena = outfile
  return outfile
}
