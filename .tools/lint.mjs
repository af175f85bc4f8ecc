// npm run lint: Biome over everything, clang-format over C and C++, clang-tidy over the native core.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { withoutFeature } from './lib/features.mjs'
import { nativeFiles } from './lib/native-sources.mjs'
import { root, run, runTool, say, tool } from './lib/run.mjs'
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

function clangTidy() {
  const program = findProgram('clang-tidy', 'clang-tidy-14')
  if (!program) return withoutFeature('clang-tidy', 'not installed (apt-get install clang-tidy)')
  if (!existsSync(join(root, 'build/compile_commands.json'))) {
    return withoutFeature('clang-tidy', 'the addon is not built, so there are no compile commands')
  }
  const files = nativeFiles('cc').filter((path) => path.startsWith('native/'))
  return files.length === 0 ? 0 : run(program, ['-p', 'build', '--quiet', '--warnings-as-errors=*', ...files])
}

const failed = Object.entries({ biome, clangFormat, clangTidy }).filter(([, check]) => check() !== 0)
if (failed.length > 0) {
  say(`lint failed: ${failed.map(([name]) => name).join(', ')} (npm run format mends what is only format)`)
  process.exit(1)
}
