// Reads what a source file names: the imports of TypeScript, the includes of C++. Reads text, runs nothing.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, posix, relative } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../..', import.meta.url))

export interface SourceImport {
  /** As written: './types.js', 'zod', 'node:fs'. */
  readonly specifier: string
  /** The file of this checkout that it names, relative to the root; null for a package or a module of Node. */
  readonly file: string | null
  /** Costs nothing at run time. */
  readonly typeOnly: boolean
  /** Happens when the call is reached, not when the module is loaded. */
  readonly lazy: boolean
}

/** All files below `folder` that end in one of `extensions`, relative to the root, sorted. */
export function sourceFiles(folder: string, ...extensions: string[]): string[] {
  const full = join(root, folder)
  if (!existsSync(full)) return []
  return readdirSync(full, { recursive: true, encoding: 'utf8' })
    .map((path) => posix.join(folder, path))
    .filter((path) => extensions.some((extension) => path.endsWith(extension)) && statSync(join(root, path)).isFile())
    .sort()
}

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

function resolveModule(from: string, specifier: string): string | null {
  if (!specifier.startsWith('.')) return null
  return posix.join(dirname(from), specifier).replace(/\.js$/, '.ts')
}

export function importsOf(path: string): SourceImport[] {
  const text = withoutComments(readFileSync(join(root, path), 'utf8'))
  const found: SourceImport[] = []
  const add = (specifier: string, typeOnly: boolean, lazy: boolean): void => {
    found.push({ specifier, file: resolveModule(path, specifier), typeOnly, lazy })
  }
  for (const match of text.matchAll(/^(?:import|export)\s+(type\s+)?(?:[^'"`;]*?\sfrom\s+)?'([^']+)'/gm)) {
    add(match[2] ?? '', match[1] !== undefined, false)
  }
  for (const match of text.matchAll(/\b(?:import|require|getBuiltinModule)\(\s*'([^']+)'/g))
    add(match[1] ?? '', false, true)
  return found
}

/** What `path` includes: files of native relative to the root, everything else as written (`<napi.h>` as `napi.h`). */
export function includesOf(path: string): string[] {
  const text = withoutComments(readFileSync(join(root, path), 'utf8'))
  return [...text.matchAll(/^\s*#\s*include\s+([<"])([^>"]+)[>"]/gm)].map(([, quote, name = '']) => {
    if (quote === '<') return name
    const places = [join(root, dirname(path), name), join(root, name), join(root, 'native', name)]
    const file = places.find((place) => existsSync(place))
    return file ? relative(root, file) : name
  })
}
