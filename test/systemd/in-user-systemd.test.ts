// The place where systemd ranges are tested is what it says it is, and leaves nothing behind.

import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { feature } from '../setup/features.js'
import { describePlace, inUserSystemd, managedPlaces, userSystemd } from './in-user-systemd.js'

const test = feature('a systemd user manager', userSystemd)

const startScope = ['systemd-run', '--user', '--scope', '--quiet', '--collect', '--unit=from-a-test', '--']

describe.each(managedPlaces)('$placement $uid', (place) => {
  const { uid, placement } = place
  const user = `/user.slice/user-${uid}.slice`
  const start = placement === 'user' ? `/user@${uid}.service/app.slice/with-user-systemd.scope` : '/session-1.scope'

  test(`starts a program of ${describePlace(place)}`, async () => {
    expect(await inUserSystemd(place, ['bash', '-c', 'id -u; grep ^0:: /proc/self/cgroup'])).toEqual({
      ...{ status: 0, signal: null, stderr: '' },
      stdout: `${uid}\n0::${user}${start}\n`
    })
  })

  test(`has a manager that makes scopes for ${describePlace(place)}`, async () => {
    expect(await inUserSystemd(place, [...startScope, 'bash', '-c', 'grep ^0:: /proc/self/cgroup; exit 23'])).toEqual({
      ...{ status: 23, signal: null, stderr: '' },
      stdout: `0::${user}/user@${uid}.service/app.slice/from-a-test.scope\n`
    })
  })
})

test('has no manager where none is asked for', async () => {
  const { status, stdout, stderr } = await inUserSystemd({ uid: 4242, placement: 'no-systemd' }, [
    ...startScope,
    'true'
  ])
  expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
  expect(stderr).toContain('Failed to connect to bus')
})

test('ends the program and all that it has started, wherever that went', async () => {
  const place = { uid: 4242, placement: 'session' } as const
  const name = `left-inside-${process.pid}`
  const script = `setsid -f bash -c 'exec -a ${name} sleep 600'; ${startScope.slice(0, -1).join(' ')} sleep 600 & wait`
  expect(await inUserSystemd(place, ['bash', '-c', script], { timeoutSeconds: 2 })).toMatchObject({ status: 124 })
  expect(processesNamed(name)).toEqual([])
})

function processesNamed(name: string): string[] {
  return readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && commandOf(pid).startsWith(name))
}

function commandOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}
