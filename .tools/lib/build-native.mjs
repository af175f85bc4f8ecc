// build/Release: the addon quiesce.node and the programs quiesce-runner and quiesce-supervisor, through cmake-js. Downloads
// nothing: package.json declares a Node-API version, so cmake-js takes the headers of node-api-headers.

import { existsSync, readFileSync, rmSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { refresh } from './freshness.mjs'
import { root, runTool, say, tool } from './run.mjs'
import { missingToolchain } from './toolchain.mjs'

export const addon = 'build/Release/quiesce.node'
/** The second is for two processors only. */
export const programs = [
  'build/Release/quiesce-runner',
  ...(['x64', 'arm64'].includes(process.arch) ? ['build/Release/quiesce-supervisor'] : [])
]

const inputs = ['native', 'CMakeLists.txt', 'package-lock.json', '.tools/lib/build-native.mjs']

/** CMake refuses to go on in a folder that another checkout or a failed first configuration has left behind. */
function dropUnusableCache() {
  const cache = join(root, 'build', 'CMakeCache.txt')
  if (!existsSync(cache)) return
  const home = /^CMAKE_HOME_DIRECTORY:INTERNAL=(.*)$/m.exec(readFileSync(cache, 'utf8'))?.[1]
  const generated = ['build.ninja', 'Makefile'].some((name) => existsSync(join(root, 'build', name)))
  if (home === root && generated) return
  rmSync(cache)
  rmSync(join(root, 'build', 'CMakeFiles'), { recursive: true, force: true })
}

/** Configured each time: a file added to native/sources.txt must be seen, and it costs less than asking whether. */
function compile() {
  say('building the native addon')
  dropUnusableCache()
  const options = ['--log-level', 'warn', '--CDCMAKE_EXPORT_COMPILE_COMMANDS=ON']
  return (
    runTool(tool.cmakeJs, ['configure', ...options]) ||
    runTool(tool.cmakeJs, ['build', ...options, '--parallel', String(availableParallelism())])
  )
}

/** `built`, `skipped` (this machine cannot build it; the reason was printed) or `failed` (the compiler said why). */
export async function buildNative() {
  const lacks = missingToolchain()
  if (lacks !== null) {
    say(
      `no native addon: ${lacks.missing} not found (${lacks.remedy}); without a prebuilt one the JavaScript fallback is used`
    )
    return 'skipped'
  }
  const status = await refresh({ name: 'addon', inputs, outputs: [addon, ...programs], build: compile })
  return status === 0 ? 'built' : 'failed'
}
