// npm run format: writes what Biome and clang-format would have written.

import { nativeFiles } from './lib/native-sources.mjs'
import { run, runTool, say, tool } from './lib/run.mjs'
import { findProgram } from './lib/toolchain.mjs'

const status = runTool(tool.biome, ['check', '--write', '.'])
const clangFormat = findProgram('clang-format', 'clang-format-14')
const files = nativeFiles('cc', 'h', 'c')
if (!clangFormat) say('clang-format is not installed: C and C++ files are left as they are')
else if (files.length > 0) run(clangFormat, ['-i', ...files])
process.exit(status)
