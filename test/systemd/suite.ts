// Runs test files of this project where a user really is, with one kind of range, and tells what came out.

import { dirname, join } from 'node:path'
import type { RangeKind } from '../../src/subprocess/types.js'
import { root } from '../setup/source-imports.js'
import { inUserSystemd, type Place } from './in-user-systemd.js'

const vitest = join(root, 'node_modules/.bin/vitest')

/**
 * An ordinary user can write neither into the checkout nor into what Vite keeps in it. The retries are for deadlines of some
 * hundred milliseconds: on a busy machine a start by systemd-run alone can take as long.
 */
const options = [
  '--config=test/vitest.config.ts',
  '--configLoader=runner',
  '--cache=false',
  '--retry=3',
  '--reporter=json'
]

export interface Suite {
  readonly range: RangeKind
  /** Files and folders below the root, and a pattern for the titles of their tests. */
  readonly paths: readonly string[]
  readonly titles?: string
  readonly timeoutSeconds: number
}

export interface SuiteOutcome {
  readonly passed: number
  readonly failures: readonly string[]
}

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly {
    readonly assertionResults: readonly {
      readonly status: string
      readonly fullName: string
      readonly failureMessages: readonly string[]
    }[]
  }[]
}

export async function runSuite(
  place: Place,
  { range, paths, titles = '', timeoutSeconds }: Suite
): Promise<SuiteOutcome> {
  const argv = [process.execPath, vitest, 'run', ...options, '-t', titles, ...paths]
  const { stdout, stderr } = await inUserSystemd(place, argv, {
    cwd: root,
    // What the place lacks by its nature is skipped there. A folder of the PATH that the user cannot enter would be one where
    // a missing program may be.
    env: {
      REQUIRE_FEATURES: '',
      TEST_RANGES: range,
      PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin`
    },
    timeoutSeconds
  })
  const [text] = /^\{.*\}$/m.exec(stdout) ?? []
  if (text === undefined) throw new Error(stderr + stdout)
  const report: Report = JSON.parse(text)
  const failures = report.testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`)
  return { passed: report.numPassedTests, failures }
}
