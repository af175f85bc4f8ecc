import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { cgroupFacts } from '../../src/cli/doctor/cgroup-facts.js'

const tree = mkdtempSync(join(tmpdir(), 'quiesce cgroup-'))
mkdirSync(join(tree, 'user/session'), { recursive: true })
writeFileSync(join(tree, 'user/session/cgroup.kill'), '')
afterAll(() => rmSync(tree, { recursive: true }))

const mountinfo = (root: string): string =>
  [
    '22 1 0:20 / /proc rw,nosuid - proc proc rw',
    `30 24 0:26 ${root} ${tree.replaceAll(' ', '\\040')} rw,relatime shared:9 - cgroup2 cgroup2 rw,nsdelegate`
  ].join('\n')

describe('cgroup facts', () => {
  it('name the mount and the own folder below it', () => {
    expect(cgroupFacts(mountinfo('/'), '1:name=systemd:/x\n0::/user/session\n')).toEqual({
      mount: tree,
      folder: join(tree, 'user/session'),
      writable: true,
      kill: true
    })
  })

  it('take account of a mount that shows only a part of the tree', () => {
    expect(cgroupFacts(mountinfo('/outer'), '0::/outer/user\n')).toEqual({
      mount: tree,
      folder: join(tree, 'user'),
      writable: true,
      kill: false
    })
    expect(cgroupFacts(mountinfo('/outer'), '0::/elsewhere\n')).toEqual({
      mount: tree,
      folder: null,
      writable: false,
      kill: null
    })
  })

  it('leave open whether the root folder could be killed, where no such file ever is', () => {
    expect(cgroupFacts(mountinfo('/'), '0::/\n')).toEqual({
      mount: tree,
      folder: `${tree}/`,
      writable: true,
      kill: null
    })
  })

  it('say that a folder that is not there cannot be written to', () => {
    expect(cgroupFacts(mountinfo('/'), '0::/gone\n')).toMatchObject({ folder: join(tree, 'gone'), writable: false })
  })

  it('say that nothing is mounted where that is so', () => {
    expect(cgroupFacts('', '')).toEqual({ mount: null, folder: null, writable: false, kill: null })
  })
})
