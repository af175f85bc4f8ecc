// The C programs of this folder, each compiled from all files of a folder when first asked for and again when one is newer.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, renameSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { loadAddon } from '../../../src/native/load.js'
import { runnerPath } from '../../../src/native/runner-path.js'
import { root } from '../../setup/source-imports.js'
import type { HostParts } from './hosting.js'

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

const bundled = new Map<string, string>()

/** A program in TypeScript as one file. */
function bundle(source: string, name: string): string {
  const known = bundled.get(name)
  if (known !== undefined) return known
  const outfile = join(built, `${name}.mjs`)
  const format = ['--bundle', '--platform=node', '--format=esm', '--target=node20', `--outfile=${outfile}`]
  const args = [join('test/sandbox/escape', source), ...format, '--log-level=error']
  execFileSync(join(root, 'node_modules/.bin/esbuild'), args, { cwd: root })
  bundled.set(name, outfile)
  return outfile
}

export const arenaProgram = (): string => bundle('arena/main.ts', 'arena')

/** @throws if the addon or the runner is not built. */
export function hostParts(): HostParts {
  const runner = runnerPath()
  if (runner === null) throw new Error('the program quiesce-runner is not built')
  return { program: bundle('prepared-host.ts', 'prepared-host'), addon: loadAddon().path, runner }
}
