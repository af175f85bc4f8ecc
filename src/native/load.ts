// Finds and loads the addon, at first use. No environment variable chooses what is loaded: first what was built here, then
// what the package brought for this platform.

import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type AddonAttempt, AddonUnavailableError, noSuchFile } from '../errors/addon-unavailable.js'
import type { NativeBinding } from './binding.js'

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
  const attempts: AddonAttempt[] = []
  const require = createRequire(import.meta.url)
  const root = packageRoot()
  for (const path of candidates(root)) {
    try {
      return { binding: require(path) as NativeBinding, path }
    } catch (error) {
      attempts.push({ path, reason: reasonOf(error as NodeJS.ErrnoException) })
    }
  }
  return new AddonUnavailableError(platformName(), attempts, remedyIn(root))
}

function remedyIn(root: string): string {
  if (process.platform !== 'linux') return 'The native core is for Linux only.'
  // `--save-prod`: the three are development dependencies of the package, which npm would leave out otherwise.
  const build = process.getBuiltinModule('node:fs').existsSync(join(root, '.tools'))
    ? 'npm run build'
    : 'npm install --no-save --save-prod --omit=dev cmake-js node-addon-api node-api-headers && npx cmake-js compile'
  return (
    'To build it, install a C++20 compiler, make and cmake (Debian: apt-get install g++ make cmake) and run\n' +
    `  cd ${JSON.stringify(root)} && ${build}`
  )
}

function reasonOf(error: NodeJS.ErrnoException): string {
  return error.code === 'MODULE_NOT_FOUND' ? noSuchFile : (error.message.split('\n')[0] ?? String(error))
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

/** The nearest folder above this file with a package.json: two levels from the sources, one or more from a bundle. */
export function packageRoot(): string {
  const fs = process.getBuiltinModule('node:fs')
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!fs.existsSync(join(folder, 'package.json')) && dirname(folder) !== folder) folder = dirname(folder)
  return folder
}
