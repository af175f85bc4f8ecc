// Finds and loads the addon, at first use. No environment variable chooses what is loaded: first what was built here, then
// what the package brought for this platform.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { NativeBinding } from './binding.js'

/** The addon cannot be loaded; says what was tried and what to do. */
export class AddonUnavailableError extends Error {
  readonly code = 'ADDON_UNAVAILABLE'
  /** One entry for each file that was tried, with the reason why it is not used. */
  readonly attempts: readonly { readonly path: string; readonly reason: string }[]

  constructor(attempts: AddonUnavailableError['attempts']) {
    const tried = attempts.map(({ path, reason }) => `  ${path}: ${reason}`).join('\n')
    super(`the native core of quiesce cannot be loaded on ${platformName()}; tried\n${tried}\n${remedy}`)
    this.name = 'AddonUnavailableError'
    this.attempts = attempts
  }
}

const remedy =
  'To build it: install a C++ compiler, make and cmake (Debian: apt-get install g++ make cmake), then run `npm install ' +
  '--no-save --omit=dev cmake-js node-addon-api node-api-headers && npx cmake-js compile` in the folder of the package.'

export interface LoadedAddon {
  readonly binding: NativeBinding
  readonly path: string
}

let loaded: LoadedAddon | AddonUnavailableError | undefined

/** @throws AddonUnavailableError, the same one each time. */
export function loadAddon(): LoadedAddon {
  loaded ??= tryAll()
  if (loaded instanceof Error) throw loaded
  return loaded
}

function tryAll(): LoadedAddon | AddonUnavailableError {
  const attempts: { path: string; reason: string }[] = []
  const require = createRequire(import.meta.url)
  for (const path of candidates(packageRoot())) {
    try {
      return { binding: require(path) as NativeBinding, path }
    } catch (error) {
      attempts.push({ path, reason: reasonOf(error as NodeJS.ErrnoException) })
    }
  }
  return new AddonUnavailableError(attempts)
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === 'MODULE_NOT_FOUND' ? 'no such file' : (error.message.split('\n')[0] ?? String(error))
}

function candidates(root: string): string[] {
  return [join(root, 'build', 'Release', 'quiesce.node'), join(root, 'prebuilds', platformName(), 'quiesce.node')]
}

/** Such as `linux-x64`, or `linux-x64-musl` where the C library is not glibc. */
export function platformName(): string {
  const name = `${process.platform}-${process.arch}`
  if (process.platform !== 'linux') return name
  const header = (process.report.getReport() as { header: { glibcVersionRuntime?: string } }).header
  return header.glibcVersionRuntime === undefined ? `${name}-musl` : name
}

// The nearest folder above this file with a package.json: two levels from the sources, one or more from a bundle.
function packageRoot(): string {
  const fs = process.getBuiltinModule('node:fs')
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!fs.existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
