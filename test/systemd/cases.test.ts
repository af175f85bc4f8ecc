// The public cases once more, where a user really is: in systemd scopes of a desktop and of an ssh session, and below
// supervisors in a container that has neither cgroup rights nor a manager.

import { expect, vi } from 'vitest'
import { feature } from '../setup/features.js'
import { describePlace, userSystemd } from './in-user-systemd.js'
import { runSuite } from './suite.js'

vi.setConfig({ testTimeout: 310_000 })

const test = feature('a systemd user manager', userSystemd)

const hosts = [
  { range: 'scope', place: { uid: 0, placement: 'user' } },
  { range: 'scope', place: { uid: 4242, placement: 'session' } },
  { range: 'supervisor', place: { uid: 4242, placement: 'no-systemd' } }
] as const

for (const { range, place } of hosts) {
  test(`the public cases hold in a ${range} range, for ${describePlace(place)}`, async () => {
    const suite = { range, paths: ['test/cases/public-cases.test.ts'], timeoutSeconds: 300 }
    const { passed, failures } = await runSuite(place, suite)
    expect(failures).toEqual([])
    expect(passed).toBeGreaterThan(30)
  })
}
