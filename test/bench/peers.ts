// What of the packages in test/bench/peers is there: the version of one, and the programs that two of them bring.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sourceFolder } from './places.js'

const modules = join(sourceFolder, 'peers', 'node_modules')

/** `null` when it is not installed. */
export function peerVersion(name: string): string | null {
  const file = join(modules, name, 'package.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')).version as string) : null
}

/** npm installs the one package of a scope that is for this platform. */
function platformProgram(scope: string, path: string): string | null {
  const folder = join(modules, scope)
  const packages = existsSync(folder) ? readdirSync(folder) : []
  return packages.map((name) => join(folder, name, path)).find(existsSync) ?? null
}

export const bunProgram = (): string | null => platformProgram('@oven', 'bin/bun')
export const denoProgram = (): string | null => platformProgram('@deno', 'deno')
