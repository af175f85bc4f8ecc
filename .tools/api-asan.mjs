// npm run test:api:asan: the tests of the public API on an addon with AddressSanitizer and UndefinedBehaviorSanitizer, in a
// copy of the sources below build, since the addon is always taken from beside them. Node itself is not instrumented, so
// the sanitizer's library is loaded first, into the test processes alone: not into the commands that they run.

import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { installDependencies } from './lib/dependencies.mjs'
import { withoutFeature } from './lib/features.mjs'
import { countCheck, countVitest, record, reportPath } from './lib/report.mjs'
import { capture, root, runTool, say, tool } from './lib/run.mjs'
import { findProgram, missingToolchain } from './lib/toolchain.mjs'

const name = 'api-address'
const folder = join(root, 'build', name)
const reports = join(folder, 'reports')
/** Others take no more than their path, but some of them measure time, which a sanitizer takes. */
const tests = process.argv.length > 2 ? process.argv.slice(2) : ['test/api']

/** LD_PRELOAD must be there when a test process starts, and gone before it starts a command. */
const config = `import { mergeConfig } from 'vitest/config'
import base from './test/vitest.config.ts'
export default mergeConfig(base, {
  root: import.meta.dirname,
  test: { setupFiles: [import.meta.dirname + '/no-preload.ts'], testTimeout: 120_000, hookTimeout: 120_000 }
})
`

function copySources() {
  mkdirSync(folder, { recursive: true })
  for (const part of ['src', 'test']) {
    rmSync(join(folder, part), { recursive: true, force: true })
    cpSync(join(root, part), join(folder, part), {
      recursive: true,
      filter: (path) => !path.includes('/node_modules')
    })
  }
  for (const file of ['package.json', 'tsconfig.json', 'tsconfig.test.json'])
    cpSync(join(root, file), join(folder, file))
  if (!existsSync(join(folder, 'node_modules'))) symlinkSync('../../node_modules', join(folder, 'node_modules'))
  writeFileSync(join(folder, 'vitest.config.ts'), config)
  writeFileSync(join(folder, 'no-preload.ts'), 'delete process.env.LD_PRELOAD\n')
  rmSync(reports, { recursive: true, force: true })
  mkdirSync(reports)
}

function build() {
  const options = ['--log-level', 'warn', '--out', join(folder, 'build'), '--CDQUIESCE_SANITIZE=address']
  return (
    runTool(tool.cmakeJs, ['configure', ...options]) ||
    runTool(tool.cmakeJs, ['build', ...options, '--parallel', String(availableParallelism())])
  )
}

function test() {
  const library = capture(findProgram('c++'), ['-print-file-name=libasan.so'])?.trim() ?? ''
  const report = reportPath(`${name}.vitest.json`)
  const status = runTool(
    tool.vitest,
    [
      'run',
      '--config',
      join(folder, 'vitest.config.ts'),
      '--reporter=default',
      '--reporter=json',
      `--outputFile.json=${report}`,
      ...tests
    ],
    {
      cwd: folder,
      env: {
        ...process.env,
        LD_PRELOAD: library,
        // What Node never frees is no concern of this; leaks of the core are found by its unit tests.
        ASAN_OPTIONS: `detect_leaks=0:halt_on_error=1:log_path=${join(reports, 'asan')}`,
        UBSAN_OPTIONS: `print_stacktrace=1:halt_on_error=1:log_path=${join(reports, 'ubsan')}`
      }
    }
  )
  record(name, countVitest(report))
  return status
}

/** A sanitizer's report counts even where a test has outlived it. */
function complaints() {
  const found = readdirSync(reports)
  for (const file of found) console.error(readFileSync(join(reports, file), 'utf8'))
  record(`${name}-complaints`, countCheck(`${name}: no report of a sanitizer`, found.length))
  return found.length
}

const lacks = missingToolchain()
if (lacks !== null)
  process.exit(withoutFeature('API tests under sanitizers', `${lacks.missing} not found; ${lacks.remedy}`))
if (installDependencies() !== 0) process.exit(1)
say('building the addon with sanitizers')
copySources()
if (build() !== 0) {
  record(name, countCheck(`${name}: the build`, 1))
  process.exit(1)
}
const status = test()
process.exit(complaints() === 0 ? status : 1)
