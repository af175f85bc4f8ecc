// The plain C programs of the bench, compiled when first asked for and again when their source is newer.

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { buildFolder, sourceFolder } from './places.js'

/** The path of the compiled program; throws what the compiler said. */
export function nativeProgram(name: 'limit' | 'reader' | 'tree'): string {
  const source = join(sourceFolder, `${name}.c`)
  const program = join(buildFolder, name)
  if (existsSync(program) && statSync(program).mtimeMs > statSync(source).mtimeMs) return program
  mkdirSync(buildFolder, { recursive: true })
  execFileSync('cc', ['-O2', '-o', program, source], { stdio: ['ignore', 'ignore', 'pipe'] })
  return program
}
