import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SandboxBackend } from '../../../src/sandbox/local/backend.js'
import { Choices } from '../../../src/sandbox/local/choice.js'
import type { SandboxProfile } from '../../../src/sandbox/local/profile.js'
import { ScriptedRuntime } from '../../fixtures/shell/scripted-runtime.js'

const examine = vi.hoisted(() => vi.fn())
vi.mock('../../../src/sandbox/local/examination.js', () => ({
  examine,
  isUsable: (found: object) => 'prefix' in found
}))

const profile: SandboxProfile = { mode: 'read-only', workspaceRoot: '/repo', roots: [], hidden: [], network: 'host' }
const backends = ['one', 'two', 'three'].map((name) => ({ name }) as SandboxBackend)

const usable = (backend: SandboxBackend, enforcement: 'full' | 'partial') => ({
  backend,
  enforcement,
  prefix: [backend.name, '--'],
  notGoverned: [],
  warnings: []
})
const missing = ({ name }: SandboxBackend) => ({ backend: name, reason: 'missing' })

type Found = (backend: SandboxBackend, profile: SandboxProfile, terms: { signal: AbortSignal }) => unknown

function choices(found: Found): Choices {
  examine.mockReset().mockImplementation(async (...args: Parameters<Found>) => found(...args))
  return new Choices(backends, { subprocess: new ScriptedRuntime(), timeoutMs: 5 })
}

const nameOf = (choice: Awaited<ReturnType<Choices['for']>>): unknown =>
  'attempts' in choice ? choice.attempts.map(({ backend }) => backend) : choice.backend.name
const asked = (): string[] => examine.mock.calls.map(([backend]) => backend.name)

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the choice', () => {
  it('is the first that enforces everything, and no later one is tried', async () => {
    const own = choices((backend) => (backend.name === 'two' ? usable(backend, 'full') : missing(backend)))
    expect(nameOf(await own.for(profile))).toBe('two')
    expect(asked()).toEqual(['one', 'two'])
  })

  it('is full before partial, whatever the order', async () => {
    const own = choices((backend) => usable(backend, backend.name === 'three' ? 'full' : 'partial'))
    expect(nameOf(await own.for(profile))).toBe('three')
  })

  it('is the first partial one where none is full', async () => {
    const own = choices((backend) => (backend.name === 'one' ? missing(backend) : usable(backend, 'partial')))
    expect(nameOf(await own.for(profile))).toBe('two')
  })

  it('is none where none can be used, with each and its reason', async () => {
    const own = choices(missing)
    expect(await own.for(profile)).toEqual({ attempts: backends.map(missing) })
  })
})

describe('the memory', () => {
  it('answers at once for an equal profile, and tries again for another', async () => {
    const own = choices((backend) => usable(backend, 'full'))
    await own.for(profile)
    expect(own.for({ ...profile })).not.toBeInstanceOf(Promise)
    await own.for({ ...profile, workspaceRoot: '/other' })
    await own.for({ ...profile, network: 'none' })
    expect(asked()).toEqual(['one', 'one', 'one'])
  })

  it('forgets after a while that nothing could be used', async () => {
    const own = choices(missing)
    await own.for(profile)
    vi.advanceTimersByTime(9_000)
    await own.for(profile)
    expect(asked()).toHaveLength(3)
    vi.advanceTimersByTime(2_000)
    examine.mockImplementation(async (backend: SandboxBackend) => usable(backend, 'full'))
    expect(nameOf(await own.for(profile))).toBe('one')
  })

  it('is bounded: the profile that was not used for longest is tried again', async () => {
    const own = choices((backend) => usable(backend, 'full'))
    const numbered = (number: number): SandboxProfile => ({ ...profile, workspaceRoot: `/${number}` })
    for (let number = 0; number < 64; number += 1) await own.for(numbered(number))
    await own.for(numbered(0))
    await own.for(numbered(64))
    expect(asked()).toHaveLength(65)
    await own.for(numbered(0))
    await own.for(numbered(1))
    expect(asked()).toHaveLength(66)
  })

  it('keeps no failure: what was broken off is tried again', async () => {
    const own = choices(() => {
      throw new Error('broken')
    })
    await expect(own.for(profile)).rejects.toThrow('broken')
    examine.mockImplementation(async (backend: SandboxBackend) => usable(backend, 'full'))
    expect(nameOf(await own.for(profile))).toBe('one')
  })
})

describe('waiting', () => {
  const held: Found = (_backend, _profile, { signal }) =>
    new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

  it('is shared by all who ask for the same, and each gives up for itself', async () => {
    let finish: (value: unknown) => void = () => undefined
    const own = choices(() => new Promise((resolve) => (finish = resolve)))
    const [first, second] = [new AbortController(), new AbortController()]
    const [one, two] = [own.for(profile, first.signal), own.for(profile, second.signal)]
    const reason = new Error('enough')
    first.abort(reason)
    await expect(one).rejects.toBe(reason)
    finish(usable(backends[0] as SandboxBackend, 'full'))
    expect(nameOf(await two)).toBe('one')
    expect(asked()).toEqual(['one'])
  })

  it('ends the trial when nobody waits any more, and whoever comes then begins anew', async () => {
    const own = choices(held)
    const controller = new AbortController()
    const only = own.for(profile, controller.signal)
    const seen: AbortSignal = examine.mock.lastCall?.at(2).signal
    controller.abort('enough')
    await expect(only).rejects.toBe('enough')
    expect(seen.reason).toBe('enough')
    examine.mockImplementation(async (backend: SandboxBackend) => usable(backend, 'full'))
    expect(nameOf(await own.for(profile))).toBe('one')
  })

  it('ends with the disposal', async () => {
    const own = choices(held)
    const pending = own.for(profile)
    own.cancel('disposed')
    await expect(pending).rejects.toBe('disposed')
  })
})
