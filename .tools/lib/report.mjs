// Counts of what was tested and what failed, one small file for each step below build/test-report, summed up at the end.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { root } from './run.mjs'

const folder = join(root, 'build', 'test-report')

export function clearReports() {
  rmSync(folder, { recursive: true, force: true })
}

/** The path where a step of this name writes its own report. */
export function reportPath(name) {
  mkdirSync(folder, { recursive: true })
  return join(folder, name)
}

export function record(name, counts) {
  writeFileSync(reportPath(`${name}.counts.json`), JSON.stringify(counts))
}

/** Counts of a vitest JSON report. A file that fails to load has no tests in it and counts as one failure. */
export function countVitest(path) {
  const report = JSON.parse(readFileSync(path, 'utf8'))
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed')
  )
  const broken = report.testResults.flatMap((file) =>
    file.assertionResults
      .filter((test) => test.status === 'failed')
      .map((test) => `${relative(root, file.name)}: ${test.fullName}\n${beginning(test.failureMessages.join('\n'))}`)
  )
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded.length,
    skipped: report.numPendingTests + report.numTodoTests,
    failures: [...unloaded.map((file) => `${relative(root, file.name)}\n${beginning(file.message)}`), ...broken]
  }
}

/** Counts from the summary line of doctest. A run that printed none (a crash) is one failure. */
export function countDoctest(name, output, status) {
  const line = /test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped/.exec(output)
  const failed = Number(line?.[3] ?? 0)
  return {
    passed: Number(line?.[2] ?? 0),
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: Number(line?.[4] ?? 0),
    failures: status === 0 ? [] : [`${name}\n${ending(output)}`]
  }
}

/** A step that counts as one check; `output` is what it said, where it was kept. */
export function countCheck(name, status, output = '') {
  const passed = status === 0
  return {
    passed: Number(passed),
    failed: Number(!passed),
    skipped: 0,
    failures: passed ? [] : [`${name}\n${ending(output)}`]
  }
}

/** The first lines, where an assertion says what it saw. */
function beginning(text) {
  return text.split('\n').slice(0, 12).join('\n')
}

/** The last lines, where a program that dies says why. libFuzzer's lines of progress say nothing. */
function ending(text) {
  return text
    .split('\n')
    .filter((line) => !/^#\d+\s/.test(line))
    .slice(-40)
    .join('\n')
}

function records() {
  return readdirSync(folder)
    .filter((entry) => entry.endsWith('.counts.json'))
    .map((entry) => JSON.parse(readFileSync(join(folder, entry), 'utf8')))
}

/** What failed and what it said, for the end of a log that is too long to be read. */
export function failures() {
  return records().flatMap((counts) => counts.failures)
}

export function totals() {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const counts of records()) for (const key of Object.keys(total)) total[key] += counts[key]
  return total
}

export function totalsLine() {
  const { passed, failed, skipped } = totals()
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
