// npm run test:native:fuzz [-- SECONDS]: mutates the corpus of every fuzz target for that long (60 by default) under
// libFuzzer with ASan and UBSan, two targets at a time. The edges of UTF-8 are TypeScript, so beside the native targets
// the properties of the output reader run for as long. An input that breaks a target is kept below build.

import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { withoutFeature } from './lib/features.mjs'
import { fuzzNative, fuzzProperties } from './lib/fuzzers.mjs'
import { countCheck, record } from './lib/report.mjs'
import { root, run, say } from './lib/run.mjs'
import { findProgram } from './lib/toolchain.mjs'

const atOnce = 2
const seconds = Number(process.argv[2] ?? 60)
if (!Number.isInteger(seconds) || seconds < 1) {
  say(`${process.argv[2]} is no number of seconds`)
  process.exit(2)
}

const folder = join(root, 'build', 'native-fuzz')
const targets = readdirSync(join(root, 'test', 'native', 'fuzz', 'corpus')).sort()

function build(compiler) {
  mkdirSync(folder, { recursive: true })
  const generator = findProgram('ninja') && !existsSync(join(folder, 'Makefile')) ? ['-G', 'Ninja'] : []
  const options = [`-DCMAKE_CXX_COMPILER=${compiler}`, '-DQUIESCE_FUZZ=ON', '-DQUIESCE_SANITIZE=address']
  return (
    run('cmake', [...generator, ...options, '-DCMAKE_BUILD_TYPE=RelWithDebInfo', '-S', root, '-B', folder]) ||
    run('cmake', ['--build', folder, '--target', 'quiesce_fuzz', '--parallel', String(atOnce)])
  )
}

const compiler = findProgram('clang++', 'clang++-14')
if (!compiler || !findProgram('cmake')) {
  process.exit(withoutFeature('fuzzing', 'clang or cmake not found (apt-get install clang libclang-rt-dev cmake)'))
}
const built = build(compiler)
if (built !== 0) {
  record('fuzz', countCheck('fuzz: the build', built))
  process.exit(1)
}

const waiting = [
  ...targets.map((target) => ({ name: target, work: () => fuzzNative({ folder, target, seconds }) })),
  { name: 'properties', work: () => fuzzProperties({ seconds }) }
]
const failed = []

async function takeTurns() {
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { status, summary, output } = await next.work()
    say(`${next.name}: ${summary}`)
    record(`fuzz-${next.name}`, countCheck(`fuzz ${next.name}`, status, output))
    if (status !== 0) failed.push(next.name)
  }
}

say(`fuzzing ${waiting.length} targets for ${seconds} s each, ${atOnce} at a time`)
await Promise.all(Array.from({ length: atOnce }, takeTurns))
if (failed.length > 0) say(`failed: ${failed.join(', ')}`)
process.exit(failed.length > 0 ? 1 : 0)
