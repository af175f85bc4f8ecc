// What a command finds in a prepared confinement is what it finds behind the runner: each fact is looked at both ways.

import { chownSync, mkdirSync, readdirSync, readFileSync, readlinkSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect } from 'vitest'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import { type Finished, finished, success } from '../../subprocess/behaviour/observe.js'
import { confined, makeFolder, test, ways } from './confined.js'

let runtime: NativeSubprocessRuntime
let folder: string
let workspace: string
let outside: string

beforeAll(() => {
  runtime = new NativeSubprocessRuntime({ onWarning: () => {} })
})

afterAll(() => runtime.dispose())

beforeEach(() => {
  folder = makeFolder('enforcement')
  workspace = join(folder, 'workspace')
  outside = join(folder, 'outside')
  mkdirSync(workspace)
  mkdirSync(outside)
  writeFileSync(join(outside, 'file'), 'as it was\n')
})

afterEach(() => rmSync(folder, { recursive: true }))

/** The whole end of `script`, once for each way. */
async function bothWays(script: string, options: readonly string[]): Promise<[Finished, Finished]> {
  const ends: Finished[] = []
  for (const way of ways) ends.push(await finished(runtime.spawn(confined(script, options, { cwd: workspace }, way))))
  return ends as [Finished, Finished]
}

/** Nothing is attempted in the host's own mounts, should a confinement be none. */
const guard = `[ "$(readlink /proc/self/ns/mnt)" = "${readlinkSync('/proc/self/ns/mnt')}" ] && exit 99`

const attempts = (commands: readonly string[]): string =>
  [
    guard,
    ...commands.map((command) => `if { ${command}; } >/dev/null 2>&1; then echo done; else echo refused; fi`)
  ].join('\n')

const repeated = (text: string, { length }: readonly unknown[]): string => `${text}\n`.repeat(length)

describe('what a command is', () => {
  test('are the same ids, capabilities and flags', async () => {
    const [prepared, behindRunner] = await bothWays(
      'grep -E "^(Uid|Gid|Groups|NoNewPrivs|Cap|Seccomp)" /proc/self/status; cat /proc/self/{uid_map,gid_map,setgroups}',
      ['--rw', workspace]
    )
    expect(prepared).toEqual(behindRunner)
    expect(prepared.stdout).toMatch(/^NoNewPrivs:\t1$/m)
  })

  test('are namespaces of its own, and those of the host where nothing is to be kept apart', async () => {
    const kinds = ['user', 'mnt', 'ipc', 'pid', 'net', 'cgroup', 'uts']
    const script = `for kind in ${kinds.join(' ')}; do readlink /proc/self/ns/$kind; done`
    const { stdout } = await finished(runtime.spawn(confined(script)))
    const own = stdout.trim().split('\n')
    expect(kinds.filter((kind, index) => readlinkSync(`/proc/self/ns/${kind}`) !== own[index])).toEqual([
      'user',
      'mnt',
      'ipc'
    ])
  })

  test('are its streams, the control channel and the attachment, and no other descriptor', async () => {
    const list = 'echo /proc/self/fd/*'
    expect(await finished(runtime.spawn(confined(list)))).toMatchObject({
      stdout: [0, 1, 2, 3]
        .map((fd) => `/proc/self/fd/${fd}`)
        .join(' ')
        .concat('\n')
    })
    const spec = confined(list)
    const handle = runtime.spawn({ ...spec, stdio: { ...spec.stdio, control: 'pipe', attachment: { data: 'x' } } })
    expect((await finished(handle)).stdout.match(/\d+/g)?.map(Number)).toEqual([0, 1, 2, 3, 7, 8])
    handle.control?.destroy()
  })
})

describe('what a command sees', () => {
  test('are the same mounts and devices', async () => {
    const [prepared, behindRunner] = await bothWays('cut -d" " -f4-6 /proc/self/mountinfo; ls -A /dev', [
      '--rw',
      workspace
    ])
    expect(prepared).toEqual(behindRunner)
    expect(prepared.outcome).toEqual(success)
  })

  test('is nothing of what is hidden', async () => {
    mkdirSync(join(outside, 'keys'))
    writeFileSync(join(outside, 'keys', 'key'), 'secret')
    const options = ['--hide', join(outside, 'keys'), '--hide', join(outside, 'file')]
    const [prepared, behindRunner] = await bothWays(`ls -A ${outside}/keys; cat ${outside}/file`, options)
    expect(prepared).toEqual(behindRunner)
    expect(prepared).toEqual({ outcome: success, stdout: '', stderr: '' })
  })

  test('is no network but a loopback that works, if none was asked for', async () => {
    const script = 'grep -o "^ *[a-z0-9]*:" /proc/net/dev; grep -m1 -o 127.0.0.1 /proc/net/fib_trie'
    const [prepared, behindRunner] = await bothWays(script, ['--network', 'none'])
    expect(prepared).toEqual(behindRunner)
    expect(prepared).toMatchObject({ outcome: success, stdout: expect.stringMatching(/^ *lo:\n127\.0\.0\.1\n$/) })
  })
})

describe('what a command can do', () => {
  test('is to change the workspace', async () => {
    const options = ['--rw', workspace]
    const commands = [
      'echo x > made',
      'echo y >> made',
      'chmod 600 made',
      'mkdir sub',
      'mv made sub/moved',
      'ln sub/moved linked',
      'ln -s sub link',
      'mkfifo fifo',
      'mktemp --tmpdir=.',
      ': > /dev/null',
      'echo 500 > /proc/self/oom_score_adj',
      'touch /dev/shm/quiesce-prepared && rm /dev/shm/quiesce-prepared'
    ]
    const [prepared] = await bothWays(attempts(commands.slice(0, 1)), options)
    expect(prepared.stdout).toBe('done\n')
    rmSync(join(workspace, 'made'))
    const end = await finished(runtime.spawn(confined(attempts(commands), options, { cwd: workspace })))
    expect(end).toEqual({ outcome: success, stdout: repeated('done', commands), stderr: '' })
    expect(readFileSync(join(workspace, 'linked'), 'utf8')).toBe('x\ny\n')
  })

  test('is nothing to what lies outside it, to mounts, to devices or to other processes', async () => {
    if (process.getuid?.() === 0) chownSync(join(outside, 'file'), 0, 0)
    const before = statSync(join(outside, 'file'))
    const commands = [
      `echo x > ${outside}/file`,
      `echo x >> ${outside}/file`,
      `rm -f ${outside}/file`,
      `mv ${outside}/file ${outside}/moved`,
      `mv ${outside}/file ${workspace}`,
      `ln ${outside}/file ${workspace}/linked`,
      `chmod 777 ${outside}/file`,
      `touch -d yesterday ${outside}/file`,
      `mkdir ${outside}/made`,
      `ln -s ${outside}/file ${workspace}/link && echo x > ${workspace}/link`,
      `echo x > /proc/${process.pid}/oom_score_adj`,
      'as_it_is=$(cat /proc/sys/kernel/sysrq) && echo "$as_it_is" > /proc/sys/kernel/sysrq',
      'mount -t tmpfs none /mnt',
      `umount ${workspace}`,
      'mount -o remount,rw,bind /',
      'unshare --mount true',
      'mknod device c 1 5 && head -c1 device',
      `kill -0 ${process.pid}`,
      `ls /proc/${process.pid}/root/`,
      `cat /proc/${process.pid}/environ`
    ]
    const [prepared, behindRunner] = await bothWays(attempts(commands), ['--rw', workspace])
    expect(prepared).toEqual(behindRunner)
    expect(prepared).toEqual({ outcome: success, stdout: repeated('refused', commands), stderr: '' })
    expect(readdirSync(outside)).toEqual(['file'])
    const after = statSync(join(outside, 'file'))
    expect([after.ino, after.mode, after.mtimeMs, after.nlink]).toEqual([
      before.ino,
      before.mode,
      before.mtimeMs,
      before.nlink
    ])
  })

  test('is the same in a read-only policy, but for the workspace', async () => {
    const commands = ['echo x > made', `echo x > ${outside}/file`, ': > /dev/null']
    const [prepared, behindRunner] = await bothWays(attempts(commands), [])
    expect(prepared).toEqual(behindRunner)
    expect(prepared.stdout).toBe('refused\nrefused\ndone\n')
  })
})
