// Counts of what was tested, one small file for each step below build/test-report, summed up at the end.

import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
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
  ).length
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + unloaded,
    skipped: report.numPendingTests + report.numTodoTests
  }
}

/** Counts from the summary line of doctest. A run that printed none (a crash) is one failure. */
export function countDoctest(output, status) {
  const line = /test cases:\s*(\d+)\s*\|\s*(\d+) passed\s*\|\s*(\d+) failed\s*\|\s*(\d+) skipped/.exec(output)
  const failed = Number(line?.[3] ?? 0)
  return {
    passed: Number(line?.[2] ?? 0),
    failed: failed === 0 && status !== 0 ? 1 : failed,
    skipped: Number(line?.[4] ?? 0)
  }
}

export function totals() {
  const total = { passed: 0, failed: 0, skipped: 0 }
  for (const name of readdirSync(folder).filter((entry) => entry.endsWith('.counts.json'))) {
    const counts = JSON.parse(readFileSync(join(folder, name), 'utf8'))
    for (const key of Object.keys(total)) total[key] += counts[key]
  }
  return total
}

export function totalsLine() {
  const { passed, failed, skipped } = totals()
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`
}
