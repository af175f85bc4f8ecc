// The behavioural suite once more, where every command is in a systemd scope.

import { expect, vi } from 'vitest'
import { feature } from '../setup/features.js'
import { describePlace, userSystemd } from './in-user-systemd.js'
import { runSuite } from './suite.js'

vi.setConfig({ testTimeout: 310_000 })

const test = feature('a systemd user manager', userSystemd)
const place = { uid: 4242, placement: 'session' } as const

test(`the fallback behaves in scopes as everywhere, for ${describePlace(place)}`, async () => {
  const { passed, failures } = await runSuite(place, {
    range: 'scope',
    paths: ['test/subprocess/behaviour'],
    titles: '^node ',
    timeoutSeconds: 300
  })
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(90)
})

test(`terminals of the native core behave in scopes as everywhere, for ${describePlace(place)}`, async () => {
  const { passed, failures } = await runSuite(place, {
    range: 'scope',
    paths: ['test/subprocess/behaviour/terminal.test.ts'],
    titles: '^native [a-z]',
    timeoutSeconds: 300
  })
  expect(failures).toEqual([])
  expect(passed).toBeGreaterThan(25)
})
