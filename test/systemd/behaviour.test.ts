// The behavioural suite once more, where every command is in a systemd scope.

import { dirname, join } from 'node:path'
import { expect, vi } from 'vitest'
import { feature } from '../setup/features.js'
import { root } from '../setup/source-imports.js'
import { describePlace, inUserSystemd, type Place, userSystemd } from './in-user-systemd.js'

vi.setConfig({ testTimeout: 310_000 })

const test = feature('a systemd user manager', userSystemd)
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

interface Report {
  readonly numPassedTests: number
  readonly testResults: readonly { readonly assertionResults: readonly TestReport[] }[]
}

interface TestReport {
  readonly status: string
  readonly fullName: string
  readonly failureMessages: readonly string[]
}

async function suite(place: Place, provider: string): Promise<Report> {
  const argv = [process.execPath, vitest, 'run', ...options, '-t', `^${provider} `, 'test/subprocess/behaviour']
  const { stdout, stderr } = await inUserSystemd(place, argv, {
    cwd: root,
    // A folder of the PATH that the user cannot enter would be one where a missing program may be.
    env: { TEST_RANGES: 'scope', PATH: `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin` },
    timeoutSeconds: 300
  })
  const [report] = /^\{.*\}$/m.exec(stdout) ?? []
  if (report === undefined) throw new Error(stderr + stdout)
  return JSON.parse(report)
}

const place = { uid: 4242, placement: 'session' } as const

test(`the fallback behaves in scopes as everywhere, for ${describePlace(place)}`, async () => {
  const { numPassedTests, testResults } = await suite(place, 'node')
  const failures = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => `${fullName}: ${failureMessages.join('\n')}`)
  expect(failures).toEqual([])
  expect(numPassedTests).toBeGreaterThan(90)
})
