// What the runner says when it cannot do what it is asked: its step, on one line, status 125, and no command.

import { describe, expect } from 'vitest'
import { callers, failed, openFolder, root, runner } from './runner.js'

const folder = openFolder()
const command = ['--', 'echo', 'ran']

for (const caller of callers) {
  describe(`the runner as ${caller.name}`, () => {
    caller.test('refuses a command line that it does not know in full', () => {
      const wrong: Record<string, string[]> = {
        'options: unknown option: --writable': ['--writable', '/tmp', ...command],
        'options: unknown option: --rw=/tmp': ['--rw=/tmp', ...command],
        'options: unknown option: echo': ['echo', 'ran'],
        'options: missing value of: --rw': ['--rw'],
        'options: empty path: --rw': ['--rw', '', ...command],
        'options: empty path: --hide': ['--hide', '', ...command],
        'options: unknown network: host': ['--network', 'host', ...command],
        'options: missing program: -- PROGRAM': ['--rw', '/tmp', '--'],
        'options: no program goes with: --probe': ['--probe', ...command]
      }
      const said = Object.entries(wrong).map(([line, args]) => [line, caller.confine(args)])
      expect(said).toEqual(Object.keys(wrong).map((line) => [line, failed(line)]))
    })

    caller.test('refuses a sub-command that it does not know', () => {
      expect([caller.start([runner]), caller.start([runner, 'confound', '--probe'])]).toEqual([
        failed('options: missing sub-command'),
        failed('options: unknown sub-command: confound')
      ])
    })

    caller.test('names the path of a writable root that cannot be opened', () => {
      const missing = `${folder}/missing\nfolder`
      expect(caller.confine(['--rw', folder, '--rw', missing, ...command])).toEqual(
        failed(`writable-root: No such file or directory: ${folder}/missing?folder`)
      )
    })

    caller.test('refuses a writable root that would undo the confinement', () => {
      const inside = ['/proc', '/proc/sys', '/sys', '/dev', '/dev/pts', '/dev/null']
      expect(inside.map((path) => caller.confine(['--rw', path, ...command]))).toEqual(
        inside.map((path) => failed(`writable-root: Invalid argument: ${path}`))
      )
    })

    caller.test('refuses to hide what a writable root lies in', () => {
      expect([
        caller.confine(['--rw', folder, '--hide', folder, ...command]),
        caller.confine(['--hide', '/', ...command])
      ]).toEqual([failed(`hide: Invalid argument: ${folder}`), failed('hide: Invalid argument: /')])
    })

    caller.test('refuses what Landlock alone cannot do', () => {
      const alone = ['--landlock-only']
      expect([
        caller.confine([...alone, '--hide', folder, ...command]),
        caller.confine([...alone, '--network', 'none', ...command]),
        caller.confine([...alone, '--private-tmp', ...command])
      ]).toEqual(['hide', 'network', 'private-tmp'].map((step) => failed(`${step}: Operation not supported`)))
    })

    caller.test('says so when the working folder is not there inside', () => {
      expect(caller.confine(['--private-tmp', ...command], { cwd: folder })).toEqual(
        failed(`working-folder: No such file or directory: ${folder}`)
      )
    })

    caller.test('says which program it does not find, or may not execute', () => {
      const env = { ...process.env, PATH: '/usr/bin:/bin' }
      expect([
        caller.confine(['--', 'no-such-program', 'x'], { env }),
        caller.confine(['--', `${folder}/none`]),
        caller.confine(['--', '/etc/passwd'])
      ]).toEqual([
        failed('exec: No such file or directory: no-such-program'),
        failed(`exec: No such file or directory: ${folder}/none`),
        failed('exec: Permission denied: /etc/passwd')
      ])
    })
  })
}

const open = 'quiesce-runner: partial: file metadata; Unix sockets by path\n'

describe('a host without namespaces', () => {
  /** The runner in a user namespace of its own, in which no other may be made. */
  const within = (args: string[]): string[] => [
    ...['unshare', '--user', '--map-root-user', '--mount', '--propagation', 'private', '/bin/bash', '-c'],
    ...['echo 0 > /proc/sys/user/max_user_namespaces && exec "$0" confine "$@"', runner, ...args]
  ]
  for (const caller of callers) {
    caller.test(`is confined for ${caller.name} by Landlock alone, which says what it leaves open`, () => {
      const script = `: > ${folder}/written || echo refused`
      const both = caller.start(within(['--', '/bin/bash', '-c', `exec 2>/dev/null; ${script}`]))
      expect([caller.start(within(['--probe'])), both]).toEqual([
        { status: 0, signal: null, stdout: open, stderr: '' },
        { status: 0, signal: null, stdout: 'refused\n', stderr: open }
      ])
    })

    caller.test(`refuses ${caller.name} what needs them`, () => {
      expect(caller.start(within(['--hide', folder, ...command]))).toEqual(
        failed('namespaces: No space left on device')
      )
    })
  }
})

describe('a command that is confined already', () => {
  for (const caller of callers) {
    caller.test(`of ${caller.name} is confined again by Landlock alone`, () => {
      const again = ['--', runner, 'confine', '--landlock-only', '--probe']
      expect(caller.confine(again)).toEqual({ status: 0, signal: null, stdout: open, stderr: '' })
    })
  }
})

describe('root without the capabilities to map ids', () => {
  root.test('is confined by Landlock alone', () => {
    const argv = ['setpriv', '--bounding-set', '-setfcap', '--inh-caps', '-setfcap', runner, 'confine', '--probe']
    expect(root.start(argv)).toEqual({ status: 0, signal: null, stdout: open, stderr: '' })
  })
})
