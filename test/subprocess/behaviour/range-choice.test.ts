import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { NativeBinding, NativeSystemError } from '../../../src/native/binding.js'
import type { RangeWish } from '../../../src/subprocess/native/choose-range.js'
import { chooseRange } from '../../../src/subprocess/native/choose-range.js'

vi.mock('../../../src/native/runner-path.js', () => ({ supervisorPath: () => '/made/up/quiesce-supervisor' }))

const missing: NativeSystemError = { errno: 2, syscall: 'open', path: '/made/up' }

/** A host whose probes say `failure`, or prove what they try. */
const host = (failure: NativeSystemError | null): NativeBinding =>
  ({
    probeCgroup: (parent) => ({ folder: parent ?? '/own', failure }),
    probeSupervisor: () => failure
  }) as Partial<NativeBinding> as NativeBinding

function refusal(binding: NativeBinding, wish: RangeWish): unknown {
  try {
    return chooseRange(binding, wish)
  } catch (error) {
    const { message, code, option, value } = error as Error & Record<'code' | 'option' | 'value', unknown>
    return { message, code, option, value }
  }
}

const noManager = 'no manager can be asked: neither XDG_RUNTIME_DIR nor DBUS_SESSION_BUS_ADDRESS is set'

const unknownKinds = [
  { kind: 'scope', reason: noManager },
  {
    kind: 'supervisor',
    reason: 'a trial command could not be supervised: no such file or directory (ENOENT, open "/made/up")'
  }
]

beforeEach(() => {
  for (const name of ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']) vi.stubEnv(name, undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
})

describe('the range of the native core', () => {
  it('is a cgroup where one is proven, and then nothing is stronger', () => {
    expect(chooseRange(host(null), {})).toEqual({
      kind: 'cgroup',
      reasons: [],
      options: { kind: 'cgroup', folder: '/own' }
    })
  })

  it('is a group otherwise, with a reason for each stronger kind', () => {
    expect(chooseRange(host(null), { ranges: ['group'] })).toEqual({
      kind: 'group',
      reasons: ['cgroup', 'scope', 'supervisor'].map((kind) => ({ kind, reason: 'the option ranges leaves it out' })),
      options: { kind: 'group' }
    })
    expect(chooseRange(host(missing), {})).toEqual({
      kind: 'group',
      reasons: [{ kind: 'cgroup', reason: expect.stringMatching(/^\/own cannot hold commands: /) }, ...unknownKinds],
      options: { kind: 'group' }
    })
  })

  it.each([
    [null, 'cgroup, supervisor, group'],
    [missing, 'group']
  ])('that this host does not have is refused with what the host offers (failure %o)', (failure, offered) => {
    expect(refusal(host(failure), { ranges: ['scope'] })).toEqual({
      message: `ranges allows only scope, and this runtime has only ${offered} (scope: ${noManager})`,
      code: 'RANGE_UNAVAILABLE',
      option: 'ranges',
      value: ['scope']
    })
  })

  it('is refused for a folder that cannot be used, in words about the folder', () => {
    expect(refusal(host(missing), { cgroupParent: '/made/up' })).toEqual({
      message: expect.stringMatching(/^cgroupParent "\/made\/up" cannot be used: \/made\/up cannot hold commands: /),
      code: 'RANGE_UNAVAILABLE',
      option: 'cgroupParent',
      value: '/made/up'
    })
  })
})
