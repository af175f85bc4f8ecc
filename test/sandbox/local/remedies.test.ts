import { describe, expect, it } from 'vitest'
import { type SandboxHost, sandboxHost } from '../../../src/sandbox/local/host.js'
import { remedyFor } from '../../../src/sandbox/local/remedies.js'
import { SandboxUnavailableError } from '../../../src/sandbox/unavailable.js'

const plain: SandboxHost = {
  kernel: '6.8.0-45-generic',
  isRoot: false,
  appArmorRestricts: false,
  namespacesOff: false,
  filtered: false
}
const refused = 'quiesce-runner: namespaces: Operation not permitted (exit code 125)'

describe('the remedy', () => {
  it.each([
    [
      'AppArmor on Ubuntu 24.04',
      'native',
      refused,
      { appArmorRestricts: true },
      /apparmor_restrict_unprivileged_userns=0/
    ],
    [
      'AppArmor for bubblewrap too',
      'bwrap',
      'bwrap: setting up uid map: Permission denied',
      { appArmorRestricts: true },
      /AppArmor/
    ],
    ['a seccomp filter of a container', 'native', refused, { filtered: true, isRoot: true }, /--security-opt seccomp=/],
    ['the same for Landlock', 'landlock', refused, { filtered: true }, /Landlock calls/],
    [
      'namespaces that are switched off',
      'native',
      'No space left on device',
      { namespacesOff: true },
      /unprivileged_userns_clone=1/
    ],
    [
      'an old kernel',
      'native',
      'Function not implemented',
      { kernel: '5.10.0-28-amd64' },
      /^it needs Linux 5.12 or newer, and this is 5.10/
    ],
    ['one too old for Landlock', 'landlock', 'x', { kernel: '4.19.1' }, /needs Linux 5.13/]
  ])('for %s is told', (_, backend, reason, host, remedy) => {
    expect(remedyFor(backend, reason, { ...plain, ...host })).toMatch(remedy)
  })

  it.each([
    ['nothing is known', 'native', refused, {}],
    ['AppArmor does not restrict root', 'native', refused, { appArmorRestricts: true, isRoot: true }],
    ['nothing was refused', 'bwrap', 'it gave no answer', { appArmorRestricts: true, filtered: true }],
    ['Landlock needs no namespaces', 'landlock', 'x', { namespacesOff: true }],
    ['the kernel is new enough', 'native', 'x', { kernel: '5.12.0' }]
  ])('is none where %s', (_, backend, reason, host) => {
    expect(remedyFor(backend, reason, { ...plain, ...host })).toBeUndefined()
  })

  it('goes by what the host is', () => {
    expect(sandboxHost()).toEqual({
      kernel: expect.stringMatching(/^\d+\.\d+/),
      isRoot: process.geteuid?.() === 0,
      appArmorRestricts: expect.any(Boolean),
      namespacesOff: expect.any(Boolean),
      filtered: expect.any(Boolean)
    })
  })
})

describe('SandboxUnavailableError', () => {
  it('names the mode, each backend with reason and remedy, and what it did not do', () => {
    const attempts = [
      { backend: 'native', reason: 'no runner', remedy: 'build it' },
      { backend: 'bwrap', reason: 'gone' }
    ]
    const error = new SandboxUnavailableError({ mode: 'workspace-write', attempts })
    expect(error).toMatchObject({
      name: 'SandboxUnavailableError',
      code: 'SANDBOX_UNAVAILABLE',
      mode: 'workspace-write',
      attempts
    })
    expect(error.message.split('\n')).toEqual([
      'no sandbox for the mode workspace-write is available, and the command was not run unconfined.',
      '  native: no runner; build it',
      '  bwrap: gone',
      'The state of each backend: npx quiesce doctor.'
    ])
  })

  it('says what to install where no backend knows better', () => {
    const error = new SandboxUnavailableError({ mode: 'read-only', attempts: [{ backend: 'bwrap', reason: 'gone' }] })
    expect(error.message).toMatch(/\nInstall bubblewrap .*; the state of each backend: npx quiesce doctor\.$/)
  })

  it('ends with what the runner said, where it is known', () => {
    const error = new SandboxUnavailableError({ mode: 'read-only', attempts: [], runnerFailure: 'bwrap: no' })
    expect(error.message).toMatch(/ Runner failure: bwrap: no$/)
    expect(error.runnerFailure).toBe('bwrap: no')
  })
})
