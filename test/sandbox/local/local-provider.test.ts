import { mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { runnerPath } from '../../../src/native/runner-path.js'
import { LocalSandboxProvider } from '../../../src/sandbox/local/local-provider.js'
import type { LocalSandboxOptions } from '../../../src/sandbox/local/options.js'
import type { SandboxExecutionPolicy } from '../../../src/sandbox/types.js'
import { NodeSubprocessRuntime } from '../../../src/subprocess/node/node-runtime.js'
import { script, usePlaces } from '../../fixtures/sandbox/places.js'
import { needing } from '../../fixtures/sandbox/real-backends.js'

const { workspace, outside } = usePlaces()
const runtime = new NodeSubprocessRuntime()
afterAll(() => runtime.dispose())
const programs = mkdtempSync(join(tmpdir(), 'sandbox-provider-'))
afterAll(() => rmSync(programs, { recursive: true, force: true }))

const policy: SandboxExecutionPolicy = { mode: 'read-only', workspaceRoot: workspace }
const slow = (): LocalSandboxOptions => ({
  subprocess: runtime,
  runnerCommand: [script(programs, 'slow', 'exec sleep 60')],
  runnerFailureSignatures: ['slow: ']
})

describe('options', () => {
  it.each([
    [{ backends: 'bwrap' }, 'backends'],
    [{ backends: [] }, 'backends'],
    [{ backends: ['bwrap', 'jail'] }, 'backends[1]'],
    [{ probeTimeoutMs: 0 }, 'probeTimeoutMs'],
    [{ probeTimeoutMs: -1 }, 'probeTimeoutMs'],
    [{ probeTimeoutMs: Number.NaN }, 'probeTimeoutMs'],
    [{ probeTimeoutMs: Number.POSITIVE_INFINITY }, 'probeTimeoutMs'],
    [{ probeTimeoutMs: '5' }, 'probeTimeoutMs'],
    [{ runnerCommand: 'x' }, 'runnerCommand'],
    [{ runnerCommand: ['x', 5] }, 'runnerCommand[1]'],
    [{ runnerCommand: ['x'] }, 'runnerFailureSignatures'],
    [{ runnerCommand: ['x'], runnerFailureSignatures: [] }, 'runnerFailureSignatures'],
    [{ runnerCommand: ['x'], runnerFailureSignatures: [' '] }, 'runnerFailureSignatures[0]'],
    [{ runnerCommand: ['x'], runnerFailureSignatures: ['a\nb'] }, 'runnerFailureSignatures[0]'],
    [{ runnerCommand: [''], runnerFailureSignatures: ['x'] }, 'runnerCommand'],
    [{ runnerFailureSignatures: ['x'] }, 'runnerFailureSignatures'],
    [{ runnerCommand: [], runnerFailureSignatures: ['x'] }, 'runnerFailureSignatures'],
    [{ subprocess: {} }, 'subprocess'],
    [{ root: '/' }, 'root']
  ])('%j are refused by name', (options, option) => {
    const make = (): unknown => new LocalSandboxProvider({ subprocess: runtime, ...options } as LocalSandboxOptions)
    expect(make).toThrow(expect.objectContaining({ code: 'EINVAL', option }))
  })

  it('take an empty runner command as none', () => {
    const none = { subprocess: runtime, runnerCommand: [], runnerFailureSignatures: [] }
    expect(new LocalSandboxProvider(none)).toBeInstanceOf(LocalSandboxProvider)
  })
})

describe('confine', () => {
  it.each([
    [[], policy, 'argv'],
    [['a\0'], policy, 'argv'],
    [['true'], { ...policy, mode: 'danger-full-access' }, 'policy.mode'],
    [['true'], { ...policy, workspaceRoot: 'x' }, 'policy.workspaceRoot'],
    [['true'], undefined, 'policy']
  ])('of %j under %j rejects with an error that names what is wrong', async (argv, given, option) => {
    const provider = new LocalSandboxProvider({ subprocess: runtime })
    const refusal = expect.objectContaining({ code: 'EINVAL', option: expect.stringContaining(option) })
    await expect(provider.confine(argv, given as SandboxExecutionPolicy)).rejects.toEqual(refusal)
  })

  it('is given up by an abort, with its reason, and the trial ends with it', async () => {
    const provider = new LocalSandboxProvider(slow())
    const reason = new Error('enough')
    await expect(provider.confine(['true'], policy, AbortSignal.abort(reason))).rejects.toBe(reason)
    const controller = new AbortController()
    const pending = provider.confine(['true'], policy, controller.signal)
    const from = performance.now()
    setTimeout(() => controller.abort(reason), 50)
    await expect(pending).rejects.toBe(reason)
    expect(performance.now() - from).toBeLessThan(10_000)
  })

  it('takes no longer than its bound for a backend that does not answer', async () => {
    const provider = new LocalSandboxProvider({ ...slow(), probeTimeoutMs: 100 })
    await expect(provider.confine(['true'], policy)).rejects.toMatchObject({
      attempts: [{ backend: 'runner-command', reason: 'it gave no answer within 100 ms (probeTimeoutMs)' }]
    })
  })

  it('ends and is refused after the disposal', async () => {
    const provider = new LocalSandboxProvider(slow())
    const pending = provider.confine(['true'], policy)
    await new Promise((resolve) => setTimeout(resolve, 20))
    await provider.dispose()
    await expect(pending).rejects.toThrow(/disposed/)
    await expect(provider.confine(['true'], policy)).rejects.toThrow(/disposed/)
  })

  it('refuses the whole file system as a workspace to write to', async () => {
    const provider = new LocalSandboxProvider({ subprocess: runtime })
    const all = { mode: 'workspace-write', workspaceRoot: '/' } as const
    await expect(provider.confine(['true'], all)).rejects.toMatchObject({
      code: 'SANDBOX_UNAVAILABLE',
      attempts: [{ reason: expect.stringContaining('leaves nothing to confine') }]
    })
  })

  it('names each backend that it may use where none can be', async () => {
    const provider = new LocalSandboxProvider({ subprocess: runtime, backends: ['seatbelt', 'landlock'] })
    await expect(provider.confine(['true'], { ...policy, network: 'none' })).rejects.toMatchObject({
      attempts: [
        { backend: 'seatbelt', reason: 'it is for macOS only' },
        { backend: 'landlock', reason: 'Landlock alone cannot take the network away' }
      ]
    })
  })
})

describe('with bubblewrap', () => {
  const test = needing('bwrap')

  test('goes by what exists now: a hidden path that appears is hidden from the next call on', async () => {
    const provider = new LocalSandboxProvider({ subprocess: runtime, backends: ['bwrap'] })
    const secret = join(outside, 'late')
    const hiding = { ...policy, hiddenPaths: [secret] }
    expect((await provider.confine(['true'], hiding)).argv).not.toContain(secret)
    script(outside, 'late', '')
    expect((await provider.confine(['true'], hiding)).argv).toContain(secret)
  })

  test('is remembered for a policy: the second call starts nothing', async () => {
    const own = new NodeSubprocessRuntime()
    const provider = new LocalSandboxProvider({ subprocess: own, backends: ['bwrap'] })
    const first = await provider.confine(['a', 'b'], policy)
    await own.dispose()
    expect(await provider.confine(['a', 'b'], { ...policy, sessionId: 'another' })).toEqual(first)
    expect(first).toMatchObject({
      argv: [expect.stringMatching(/\/bwrap$/), ...first.argv.slice(1, -2), 'a', 'b'],
      backend: 'bwrap',
      enforcement: 'full',
      notGoverned: [],
      denialSignatures: ['read-only file system'],
      runnerFailureRules: [{ fatalSignatures: ['bwrap: '] }]
    })
  })

  test('is inspected beside all others, with reasons where they cannot be used', async () => {
    const provider = new LocalSandboxProvider({ subprocess: runtime, backends: ['seatbelt', 'bwrap'] })
    expect(await provider.inspect({ mode: 'workspace-write', workspaceRoot: workspace })).toEqual([
      {
        backend: 'seatbelt',
        enforcement: null,
        notGoverned: [],
        warnings: [],
        reason: 'it is for macOS only'
      },
      {
        backend: 'bwrap',
        enforcement: 'full',
        notGoverned: [],
        warnings: expect.arrayContaining([expect.stringContaining('/tmp is empty')])
      }
    ])
  })
})

describe('a workspace that holds the runner itself', () => {
  const test = needing('native')

  test('is confined by a copy of it that no command can replace', async () => {
    const provider = new LocalSandboxProvider({ subprocess: runtime, backends: ['native'] })
    const here = fileURLToPath(new URL('../../../', import.meta.url))
    const { argv, warnings } = await provider.confine(['true'], { mode: 'workspace-write', workspaceRoot: here })
    const [program = ''] = argv
    expect(program.startsWith(`/proc/${process.pid}/fd/`)).toBe(true)
    expect(warnings ?? []).not.toContainEqual(expect.stringContaining('could replace it'))
    expect(readlinkSync(program)).toMatch(/\(deleted\)$/)
    expect(readFileSync(program).equals(readFileSync(runnerPath() ?? ''))).toBe(true)
  })
})
