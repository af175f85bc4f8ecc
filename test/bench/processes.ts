// Runs one contender once, in a process of its own, and gives what it printed.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildFolder, root } from './places.js'

const exec = promisify(execFile)

export async function outputOf(program: string, args: readonly string[]): Promise<string> {
  const { stdout } = await exec(program, [...args], { cwd: root, maxBuffer: 1 << 20 })
  return stdout.trim()
}

/** A contender of this project: `build/bench/contenders/<name>.mjs` with its order. */
export async function sampleOf<T>(name: string, order: object): Promise<T> {
  const program = join(buildFolder, 'contenders', `${name}.mjs`)
  return JSON.parse(await outputOf(process.execPath, [program, JSON.stringify(order)])) as T
}
