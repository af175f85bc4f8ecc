// A folder that looks like a cgroup's, with processes of the test named in it.

import { spawn } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { ScopeFolder } from '../../../../src/subprocess/node/scope/scope-folder.js'
import { until } from '../../behaviour/observe.js'

const base = fs.mkdtempSync(join(tmpdir(), 'scope-folder-'))
let path: string

beforeEach(() => {
  path = fs.mkdtempSync(join(base, 'scope-'))
})

afterAll(() => fs.rmSync(base, { recursive: true }))

const write = (name: string, text: string): void => {
  fs.mkdirSync(join(path, name, '..'), { recursive: true })
  fs.writeFileSync(join(path, name), text)
}

/** A process that says which signal it got. */
async function member(): Promise<{ pid: number; ended: Promise<string> }> {
  const child = spawn('sleep', ['300'], { stdio: 'ignore' })
  const ended = new Promise<string>((resolve) => child.on('exit', (_, signal) => resolve(String(signal))))
  await until(() => child.pid !== undefined)
  return { pid: child.pid ?? -1, ended }
}

describe('the folder of a scope', () => {
  it('tells whether it has members, and has none once it is gone', () => {
    const folder = new ScopeFolder(path)
    write('cgroup.events', 'populated 1\nfrozen 0\n')
    const before = folder.populated()
    write('cgroup.events', 'populated 0\nfrozen 0\n')
    const after = folder.populated()
    expect([before, after, new ScopeFolder(join(path, 'gone')).populated()]).toEqual([true, false, false])
  })

  it('counts as populated where that cannot be told', () => {
    fs.mkdirSync(join(path, 'cgroup.events'))
    expect(new ScopeFolder(path).populated()).toBe(true)
  })

  it('signals every member, those of folders below it too, and never the group of the host', async () => {
    const [one, other] = [await member(), await member()]
    write('cgroup.procs', `0\n${one.pid}\n`)
    write('own/deeper/cgroup.procs', `${other.pid}\n`)
    write('own/cgroup.procs', '')
    expect(new ScopeFolder(path).signal('SIGTERM')).toBeNull()
    expect([await one.ended, await other.ended]).toEqual(['SIGTERM', 'SIGTERM'])
  })

  it('is killed by one word where the kernel takes it', () => {
    write('cgroup.kill', '')
    write('cgroup.procs', `${process.pid}\n`)
    expect(new ScopeFolder(path).kill()).toBeNull()
    expect(fs.readFileSync(join(path, 'cgroup.kill'), 'utf8')).toBe('1')
  })

  it('is killed member by member where it does not, and without complaint where nobody is left', async () => {
    const last = await member()
    write('cgroup.procs', `${last.pid}\n`)
    expect(new ScopeFolder(path).kill()).toBeNull()
    expect(await last.ended).toBe('SIGKILL')
    expect([new ScopeFolder(path).kill(), new ScopeFolder(join(path, 'gone')).kill()]).toEqual([null, null])
    expect(fs.existsSync(join(path, 'cgroup.kill'))).toBe(false)
  })
})
