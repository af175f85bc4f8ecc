// The fallback where systemd is missing, broken or gone: process groups, with the reason, told once.

import { expect, vi } from 'vitest'
import { feature } from '../../../setup/features.js'
import { userSystemd } from '../../../systemd/in-user-systemd.js'
import { told, useProgram } from './run-inside.js'

vi.setConfig({ testTimeout: 60_000 })

const test = feature('a systemd user manager', userSystemd)

useProgram()

const fine = (text: string): object => ({ outcome: { exitCode: 0, signal: null }, stdout: `${text}\n`, stderr: '' })

/** What a host tells whose two runtimes have process groups because of `reason`. */
function inGroups(reason: unknown): object {
  const scope = { kind: 'scope', reason }
  const others = ['cgroup', 'supervisor'].map((kind) => ({ kind, reason: expect.any(String) }))
  const range = { kind: 'group', reasons: [others[0], scope, others[1]] }
  const commands = [fine('one'), 'group', fine('two'), 'group', range]
  return {
    warnings: [expect.stringMatching(/^QUIESCE_WEAK_RANGE: .* process groups only/)],
    told: [...commands, ...commands]
  }
}

test('a systemd-run that fails, in whatever way, means process groups with the reason and one warning', async () => {
  expect(await told({ uid: 4242, placement: 'session' }, ['brokenHosts', 'worseHosts'])).toEqual({
    brokenHosts: {
      'fails silently': inGroups('systemd-run has started nothing (status 1)'),
      'fails with words': inGroups(
        'systemd-run has started nothing (status 1): Failed to start transient scope unit: No'
      ),
      'does not know an option': inGroups(
        "systemd-run has started nothing (status 1): systemd-run: unrecognized option '--collect'"
      )
    },
    worseHosts: {
      'runs the command where it is': inGroups('the cgroup folder of a scope cannot be used here'),
      hangs: inGroups('systemd-run has not started a scope within 5000 ms')
    }
  })
})

test('a manager that ends between two commands fails one of them, which has not run, and warns once', async () => {
  expect(await told({ uid: 4242, placement: 'session' }, ['lostManager'])).toEqual({
    lostManager: {
      told: [
        ...['scope', fine('fine')],
        ...['scope', { message: expect.stringContaining('cannot enter a process range'), stage: 'range', code: 'EIO' }],
        ...['group', fine('fine'), 'group', fine('fine')]
      ],
      warnings: [
        expect.stringMatching(/no scope range: systemd-run has started nothing \(status 1\): Failed to connect/)
      ]
    }
  })
})
