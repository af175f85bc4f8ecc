import { describe, expect, it } from 'vitest'
import { fullStrength, type SandboxBackend } from '../../../src/sandbox/local/backend.js'
import { bwrapArguments } from '../../../src/sandbox/local/bwrap-arguments.js'
import type { SandboxProfile } from '../../../src/sandbox/local/profile.js'
import { replaceable } from '../../../src/sandbox/local/replaceable.js'
import { landlockBackend, nativeBackend } from '../../../src/sandbox/local/runner-backends.js'
import { seatbeltBackend, seatbeltProfile } from '../../../src/sandbox/local/seatbelt-backend.js'
import { runnerFailureLine } from '../../../src/sandbox/reading.js'

const readOnly: SandboxProfile = { mode: 'read-only', workspaceRoot: '/repo', roots: [], hidden: [], network: 'host' }
const writing: SandboxProfile = { ...readOnly, mode: 'workspace-write', roots: ['/repo', '/tmp'] }
const hidden = [
  { path: '/home/u/.ssh', isFolder: true },
  { path: '/etc/shadow', isFolder: false }
]

/** The pairs and triples that begin with one of these options, in order. */
function mounts(profile: SandboxProfile): string[] {
  const all = bwrapArguments(profile)
    .join(' ')
    .split(/ (?=--)/)
  return all.filter((text) => /^--(?:tmpfs|bind|remount-ro) |^--ro-bind \/dev\/null /.test(text))
}

describe('bubblewrap', () => {
  it('gets a read-only tree, fresh /dev and /proc, its own process ids, no capability, and dies with its parent', () => {
    const args = bwrapArguments(readOnly)
    expect(args.slice(0, 9).join(' ')).toBe('--ro-bind / / --dev /dev --unshare-pid --unshare-ipc --proc /proc')
    expect(args.slice(-4)).toEqual(['--cap-drop', 'ALL', '--die-with-parent', '--'])
    expect(mounts(readOnly)).toEqual([])
    expect(args).not.toContain('--unshare-net')
  })

  it('gets the settings of the machine in /proc read-only', () => {
    expect(bwrapArguments(readOnly).join(' ')).toContain('--proc /proc --ro-bind-try /proc/sys /proc/sys')
  })

  it('lays an empty /tmp first, so that a workspace below it is bound back in', () => {
    expect(mounts(writing)).toEqual(['--tmpfs /tmp', '--bind /repo /repo'])
    expect(mounts({ ...writing, workspaceRoot: '/tmp/w', roots: ['/tmp/w', '/tmp'] })).toEqual([
      '--tmpfs /tmp',
      '--bind /tmp/w /tmp/w'
    ])
  })

  it('leaves /tmp as it is where it is the workspace', () => {
    expect(mounts({ ...writing, workspaceRoot: '/tmp', roots: ['/tmp'] })).toEqual(['--bind /tmp /tmp'])
  })

  it('binds roots once, outer ones alone, and hides after that', () => {
    const roots = ['/repo/deep/er', '/repo', '/repository', '/tmp']
    expect(mounts({ ...writing, roots, hidden })).toEqual([
      '--tmpfs /tmp',
      '--bind /repo /repo',
      '--bind /repository /repository',
      '--tmpfs /home/u/.ssh',
      '--remount-ro /home/u/.ssh',
      '--ro-bind /dev/null /etc/shadow'
    ])
  })

  it('takes the network away if asked to', () => {
    expect(bwrapArguments({ ...readOnly, network: 'none' })).toContain('--unshare-net')
  })
})

describe('the own runner', () => {
  const all: SandboxProfile = { ...writing, hidden, network: 'none' }

  it('gets every part of the profile, and the command behind two dashes', () => {
    const options = '--rw /repo --rw /tmp --hide /home/u/.ssh --hide /etc/shadow --network none'.split(' ')
    expect(nativeBackend.prefix('/r', all)).toEqual(['/r', 'confine', ...options, '--'])
    expect(nativeBackend.report?.argv('/r', all)).toEqual(['/r', 'confine', '--probe', ...options])
    expect(landlockBackend.prefix('/r', writing)).toEqual([
      '/r',
      'confine',
      '--landlock-only',
      '--rw',
      '/repo',
      '--rw',
      '/tmp',
      '--'
    ])
  })

  it('is asked how much it enforces, and what it leaves open', () => {
    const read = nativeBackend.report?.read
    expect(read?.('quiesce-runner: full\n')).toEqual({ enforcement: 'full', notGoverned: [] })
    expect(read?.('noise\nquiesce-runner: partial: file metadata; signals\n')).toEqual({
      enforcement: 'partial',
      notGoverned: ['file metadata', 'signals']
    })
    expect([read?.(''), read?.('quiesce-runner: fully'), read?.('x quiesce-runner: full')]).toEqual([null, null, null])
  })

  it('tells with every command that it is weaker, which is no failure', () => {
    const partial = { enforcement: 'partial', notGoverned: ['file metadata', 'signals'] } as const
    const notice = 'quiesce-runner: partial: file metadata; signals\n'
    const rules = nativeBackend.runnerFailureRules(partial)
    expect(runnerFailureLine(rules, { exitCode: 125, stderr: notice })).toBeNull()
    const failure = 'quiesce-runner: exec: No such file or directory: x'
    expect(runnerFailureLine(rules, { exitCode: 125, stderr: `${notice}${failure}\n` })).toBe(failure)
    expect(
      runnerFailureLine(nativeBackend.runnerFailureRules(fullStrength), { exitCode: 125, stderr: notice })
    ).not.toBeNull()
  })

  it('with Landlock alone refuses what that cannot do, and nothing else', () => {
    const refusals = [readOnly, writing, { ...writing, hidden }, { ...writing, network: 'none' } as const]
    expect(refusals.map((profile) => landlockBackend.refusal(profile))).toEqual([
      null,
      null,
      'Landlock alone cannot hide paths',
      'Landlock alone cannot take the network away'
    ])
  })
})

describe('Seatbelt', () => {
  it('denies writing but for devices and roots, with paths as quoted strings', () => {
    const profile = seatbeltProfile({ ...writing, roots: ['/a "b"\\c'], hidden, network: 'none' })
    const lines = profile.split('\n')
    expect(lines.slice(0, 3)).toEqual(['(version 1)', '(allow default)', '(deny file-write*)'])
    expect(lines[3]).toMatch(/^\(allow file-write\* \(literal "\/dev\/null"\) .* \(subpath "\/a \\"b\\"\\\\c"\)\)$/)
    expect(lines.slice(4)).toEqual([
      '(deny file-read* file-write* (subpath "/home/u/.ssh") (literal "/etc/shadow"))',
      '(deny network*)'
    ])
    expect(seatbeltProfile(readOnly).split('\n')).toHaveLength(4)
    expect(seatbeltBackend.prefix('/s', readOnly)).toEqual(['/s', '-p', seatbeltProfile(readOnly)])
  })

  it('is for macOS alone', async () => {
    const { signal } = new AbortController()
    if (process.platform !== 'darwin')
      await expect(seatbeltBackend.locate(readOnly, signal)).rejects.toThrow('for macOS only')
  })
})

it('a program in a folder that commands may write to is warned of', () => {
  expect(replaceable('/repo/bin/runner', writing)).toEqual([
    expect.stringContaining('/repo/bin/runner lies in a folder')
  ])
  expect([replaceable('/repository/runner', writing), replaceable('/repo/bin/runner', readOnly)]).toEqual([[], []])
})

it('every backend speaks of denials and of its own failures', () => {
  const all: readonly SandboxBackend[] = [nativeBackend, landlockBackend, seatbeltBackend]
  for (const { denialSignatures, runnerFailureRules } of all) {
    expect([denialSignatures.length > 0, runnerFailureRules(fullStrength).length > 0]).toEqual([true, true])
  }
})
