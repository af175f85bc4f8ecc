// npm run lint: Biome over everything, clang-format over C and C++, clang-tidy over the native core.

import { existsSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { withoutFeature } from './lib/features.mjs'
import { refresh } from './lib/freshness.mjs'
import { nativeFiles } from './lib/native-sources.mjs'
import { root, run, runQuietly, runTool, say, tool } from './lib/run.mjs'
import { findProgram } from './lib/toolchain.mjs'

function biome() {
  return runTool(tool.biome, ['check', '--error-on-warnings', '.'])
}

function clangFormat() {
  const program = findProgram('clang-format', 'clang-format-14')
  if (!program) return withoutFeature('clang-format', 'not installed (apt-get install clang-format)')
  const files = nativeFiles('cc', 'h', 'c')
  return files.length === 0 ? 0 : run(program, ['--dry-run', '--Werror', ...files])
}

/** clang-tidy takes seconds for a file: one run for each core, and none at all when nothing changed since a clean one. */
async function clangTidy() {
  const program = findProgram('clang-tidy', 'clang-tidy-14')
  if (!program) return withoutFeature('clang-tidy', 'not installed (apt-get install clang-tidy)')
  if (!existsSync(join(root, 'build/compile_commands.json'))) {
    return withoutFeature('clang-tidy', 'the addon is not built, so there are no compile commands')
  }
  const files = nativeFiles('cc').filter((path) => path.startsWith('native/'))
  const shares = Array.from({ length: availableParallelism() }, (_, share) =>
    files.filter((_, index) => index % availableParallelism() === share)
  ).filter((share) => share.length > 0)
  const check = async (share) => runQuietly(program, ['-p', 'build', '--quiet', ...share])
  return refresh({
    name: 'clang-tidy',
    inputs: ['native', 'CMakeLists.txt', '.clang-tidy'],
    outputs: [],
    build: async () => Math.max(0, ...(await Promise.all(shares.map(check))))
  })
}

const failed = []
for (const [name, check] of Object.entries({ biome, clangFormat, clangTidy })) {
  if ((await check()) !== 0) failed.push(name)
}
if (failed.length > 0) {
  say(`lint failed: ${failed.join(', ')} (npm run format mends what is only format)`)
  process.exit(1)
}
