// npm test: sets the checkout up, then lint, types, unit tests, native unit tests and package checks. Every step runs even
// if an earlier one failed, so that one run tells everything.

import { clearReports, countCheck, countVitest, record, reportPath, totalsLine } from './lib/report.mjs'
import { runTool, say, tool } from './lib/run.mjs'
import { setUp } from './lib/setup.mjs'

function vitest(name, args) {
  const report = reportPath(`${name}.vitest.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const status = runTool(tool.vitest, ['run', '--config', 'test/vitest.config.ts', ...reporters, ...args])
  try {
    record(name, countVitest(report))
  } catch {
    // vitest ended before it wrote a report; its status and its output say why.
    record(name, countCheck(name, status))
  }
  return status
}

/** A step that counts as one check. */
function check(name, script, args) {
  const status = runTool(script, args)
  record(name, countCheck(name, status))
  return status
}

const steps = {
  lint: () => check('lint', '.tools/lint.mjs', []),
  types: () => check('types', tool.tsc, ['-p', 'tsconfig.test.json']),
  unit: () => vitest('unit', ['--exclude', 'test/package/**']),
  'native unit': () => runTool('.tools/native-tests.mjs', []),
  package: () => vitest('package', ['test/package'])
}

clearReports()
if ((await setUp({ strict: true })) !== 0) {
  say('set-up failed; nothing was tested')
  process.exit(1)
}

const failed = []
for (const [index, [name, step]] of Object.entries(steps).entries()) {
  say(`[${index + 1}/${Object.keys(steps).length}] ${name}`)
  if (step() !== 0) failed.push(name)
}
if (failed.length > 0) say(`failed: ${failed.join(', ')}`)
console.log(totalsLine())
process.exit(failed.length > 0 ? 1 : 0)
