// node-pty, for the terminals of the fallback: npm would compile it with node-gyp, which needs Python and the headers of the
// running Node from the network. This package needs neither: a compiler and the headers of node-api-headers are enough.

import { existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run.mjs'
import { findProgram } from './toolchain.mjs'

const folder = 'node_modules/node-pty'
const output = `${folder}/build/Release/pty.node`

/** Without it only the fallback's terminals are missing, so that a failure is told and no error. */
export function buildPty() {
  const compiler = findProgram('c++', 'g++', 'clang++')
  if (process.platform !== 'linux' || compiler === null) return
  if (!existsSync(join(root, folder, 'src/unix/pty.cc')) || existsSync(join(root, output))) return
  say('building node-pty')
  mkdirSync(join(root, folder, 'build/Release'), { recursive: true })
  const unfinished = `${output}.${process.pid}`
  const status = run(compiler, [
    ...['-std=c++17', '-O2', '-fPIC', '-shared', '-w', '-DNAPI_CPP_EXCEPTIONS', '-fexceptions'],
    ...['-I', `${folder}/node_modules/node-addon-api`, '-I', 'node_modules/node-api-headers/include'],
    ...[`${folder}/src/unix/pty.cc`, '-o', unfinished, '-lutil']
  ])
  if (status === 0) renameSync(join(root, unfinished), join(root, output))
  else say('node-pty did not compile; the fallback has no terminals')
}
