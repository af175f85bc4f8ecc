// npm run test:native [address|thread]: builds the native core without Node and runs its unit tests, optionally under a
// sanitizer. Each kind of build has a folder of its own below build, so that switching between them rebuilds nothing.

import { mkdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { withoutFeature } from './lib/features.mjs'
import { countCheck, countDoctest, record } from './lib/report.mjs'
import { root, run, runCapturing, say } from './lib/run.mjs'
import { findProgram, missingToolchain } from './lib/toolchain.mjs'

const sanitizer = process.argv[2] ?? ''
if (!['', 'address', 'thread'].includes(sanitizer)) {
  say(`unknown sanitizer ${sanitizer}: address or thread`)
  process.exit(2)
}

const name = sanitizer ? `native-${sanitizer}` : 'native'
const folder = join(root, 'build', `${name}-tests`)

function build() {
  mkdirSync(folder, { recursive: true })
  const generator = findProgram('ninja') ? ['-G', 'Ninja'] : []
  return (
    run('cmake', [
      ...generator,
      ...['-S', root, '-B', folder, '-DQUIESCE_TESTS=ON', `-DQUIESCE_SANITIZE=${sanitizer}`],
      ...[`-DCMAKE_BUILD_TYPE=${sanitizer ? 'RelWithDebInfo' : 'Debug'}`]
    ]) || run('cmake', ['--build', folder, '--target', 'quiesce_tests', '--parallel', String(availableParallelism())])
  )
}

const lacks = missingToolchain()
if (lacks !== null) process.exit(withoutFeature('native unit tests', `${lacks.missing} not found; ${lacks.remedy}`))
const built = build()
if (built !== 0) {
  record(name, countCheck(`${name}: the build`, built))
  process.exit(1)
}

const { status, output } = await runCapturing(join(folder, 'quiesce_tests'), [], {
  ASAN_OPTIONS: 'detect_leaks=1:strict_string_checks=1:halt_on_error=1',
  UBSAN_OPTIONS: 'print_stacktrace=1:halt_on_error=1',
  TSAN_OPTIONS: 'halt_on_error=1:second_deadlock_stack=1:die_after_fork=0'
})
record(name, countDoctest(name, output, status))
process.exit(status)
