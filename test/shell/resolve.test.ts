import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { LocalBashExecutor, type LocalBashOptions } from '../../src/shell/local-bash.js'
import type { ShellExecRequest } from '../../src/shell/types.js'
import { ScriptedRuntime } from '../fixtures/shell/scripted-runtime.js'

const shell = (options: Partial<LocalBashOptions> = {}): LocalBashExecutor =>
  new LocalBashExecutor({ subprocess: new ScriptedRuntime(), cwd: '/repo', ...options })

/** What the refusal of `action` says, as data. */
function refusal(action: () => unknown): unknown {
  try {
    action()
  } catch (error) {
    const { name, message, code, option, value } = error as Error & Record<'code' | 'option' | 'value', unknown>
    return { name, message, code, option, value }
  }
  return 'accepted'
}

const resolving = (request: Record<string, unknown>): unknown =>
  refusal(() => shell().resolve({ command: ':', ...request } as ShellExecRequest))

describe('resolve', () => {
  it('fills in every default', () => {
    expect(shell().resolve({ command: 'npm test' })).toEqual({
      command: 'npm test',
      workdir: '/repo',
      timeoutMs: 120_000,
      stdoutMaxBytes: 64_000,
      stderrMaxBytes: 64_000,
      maxSpillBytes: 67_108_864,
      graceMs: 3_000,
      onExpiry: 'kill',
      leftovers: 'keep'
    })
  })

  it('keeps what the request says', () => {
    const signal = new AbortController().signal
    const request = {
      command: 'cat',
      workdir: '/elsewhere',
      timeoutMs: 1,
      stdoutMaxBytes: 7,
      signal,
      stdin: 'text',
      env: { A: 'b', GONE: undefined },
      dshEnv: { DSH_SHELL: '1' },
      onExpiry: 'none',
      leftovers: 'terminate'
    } as const
    expect(shell().resolve(request)).toEqual({
      ...request,
      stderrMaxBytes: 64_000,
      maxSpillBytes: 67_108_864,
      graceMs: 3_000
    })
  })

  it('uses the working folder of the host where none is configured', () => {
    expect(new LocalBashExecutor({ subprocess: new ScriptedRuntime() }).resolve({ command: ':' }).workdir).toBe(
      process.cwd()
    )
  })

  it('places a relative working folder below the configured one and leaves .. to the kernel', () => {
    expect(shell().resolve({ command: ':', workdir: 'link/../x' }).workdir).toBe('/repo/link/../x')
  })

  it.each([600_001, 2_147_483_648, Number.MAX_VALUE])('caps a timeout of %d ms instead of refusing it', (timeoutMs) => {
    expect(shell().resolve({ command: ':', timeoutMs }).timeoutMs).toBe(600_000)
  })

  it('caps the default timeout too', () => {
    expect(shell({ timeoutMs: 5_000, maxTimeoutMs: 1_000 }).resolve({ command: ':' }).timeoutMs).toBe(1_000)
  })

  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a timeout of %d ms', (timeoutMs) => {
    expect(resolving({ timeoutMs })).toEqual({
      name: 'RangeError',
      message: `bash-local: request.timeoutMs must be a positive finite number; got ${timeoutMs}`,
      code: 'EINVAL',
      option: 'request.timeoutMs',
      value: timeoutMs
    })
  })

  it('refuses a timeout that is no number with a TypeError', () => {
    expect(resolving({ timeoutMs: '5' })).toEqual({
      name: 'TypeError',
      message: "bash-local: request.timeoutMs must be a positive finite number; got '5'",
      code: 'EINVAL',
      option: 'request.timeoutMs',
      value: '5'
    })
  })

  it.each([
    ['command', '', "must not be empty; got ''"],
    ['command', 5, 'must be a string; got 5'],
    ['command', 'echo a\0b', "must not contain a NUL byte (offset 6); got 'echo a\\x00b'"],
    ['workdir', '', "must not be empty; got ''"],
    ['workdir', '/a\0', "must not contain a NUL byte (offset 2); got '/a\\x00'"],
    ['stdoutMaxBytes', 0, 'must be a positive safe integer; got 0'],
    ['stdoutMaxBytes', 1.5, 'must be a positive safe integer; got 1.5'],
    ['signal', {}, 'must be an AbortSignal; got {}'],
    ['stdin', 1, 'must be a string; got 1'],
    ['env', 'A=b', "must be an object; got 'A=b'"],
    ['env', ['A=b'], "must be an object; got [ 'A=b' ]"],
    ['dshEnv', [], 'must be an object; got []'],
    ['onExpiry', 'promote', "must be 'kill' or 'none'; got 'promote'"],
    ['leftovers', 'ask', "must be 'keep' or 'terminate'; got 'ask'"],
    [
      'sandboxPolicy',
      { mode: 'read-only', workspaceRoot: '/' },
      "asks for confinement, and this executor does not confine; got { mode: 'read-only', workspaceRoot: '/' }"
    ],
    ['graceMs', '5', "is an unknown option; got '5'"]
  ])('refuses %s %j by name', (field, value, problem) => {
    expect(resolving({ [field]: value })).toEqual({
      name: field === 'stdoutMaxBytes' ? 'RangeError' : 'TypeError',
      message: `request.${field} ${problem}`,
      code: 'EINVAL',
      option: `request.${field}`,
      value
    })
  })

  it('refuses a lone surrogate with its offset', () => {
    expect(resolving({ command: 'echo \ud800' })).toMatchObject({
      message: expect.stringContaining('request.command must not contain a lone surrogate (offset 5)'),
      option: 'request.command',
      value: 'echo \ud800'
    })
  })

  it('refuses a lone surrogate in stdin by name, in a request and in a spec made by hand, and lets NUL pass', async () => {
    const stdin = 'in\udc00'
    const problem = "must not contain a lone surrogate (offset 2); got 'in\\udc00'"
    expect(resolving({ stdin })).toEqual({
      name: 'TypeError',
      message: `request.stdin ${problem}`,
      code: 'EINVAL',
      option: 'request.stdin',
      value: stdin
    })
    const runtime = new ScriptedRuntime()
    const executor = shell({ subprocess: runtime })
    const spec = { ...executor.resolve({ command: ':', stdin: 'a\0b' }), stdin }
    await expect(executor.execute(spec)).rejects.toMatchObject({
      name: 'TypeError',
      message: `spec.stdin ${problem}`,
      option: 'spec.stdin'
    })
    expect(runtime.spawned).toEqual([])
  })

  it.each([
    ['env', { A: 5 }, 'request.env.A', 'must be a string'],
    ['env', { A: 'x\0' }, 'request.env.A', 'must not contain a NUL byte (offset 1)'],
    ['dshEnv', { PATH: '/' }, 'request.dshEnv.PATH', 'must have a name like DSH_NAME'],
    ['dshEnv', { DSH_lower: '1' }, 'request.dshEnv.DSH_lower', 'must have a name like DSH_NAME'],
    ['dshEnv', { DSH_X: undefined }, 'request.dshEnv.DSH_X', 'must be a string']
  ])('refuses a variable in %s %j by its name', (field, env, option, problem) => {
    expect(resolving({ [field]: env })).toMatchObject({
      message: expect.stringContaining(`${option} ${problem}`),
      code: 'EINVAL',
      option
    })
  })

  it('accepts a paired surrogate', () => {
    expect(shell().resolve({ command: 'echo 😀' }).command).toBe('echo 😀')
  })

  it('lays the limits of a request over those of the executor, one by one', () => {
    const executor = shell({ limits: { pids: 100, cpus: 2 }, settings: { limits: { cpus: 1, openFiles: 64 } } })
    expect([
      executor.resolve({ command: ':' }).limits,
      executor.resolve({ command: ':', limits: { pids: 7, cpus: undefined, cpuSeconds: 5 } }).limits,
      shell().resolve({ command: ':', limits: { pids: undefined } }).limits
    ]).toEqual([{ pids: 100, cpus: 1, openFiles: 64 }, { pids: 7, cpus: 1, openFiles: 64, cpuSeconds: 5 }, undefined])
  })

  it('keeps limits as they were when the request was resolved', () => {
    const limits = { pids: 5 }
    const spec = shell().resolve({ command: ':', limits })
    limits.pids = 0
    expect(spec.limits).toEqual({ pids: 5 })
    expect(() => Object.assign(spec.limits as object, { pids: 1 })).toThrow(TypeError)
  })

  it.each([
    [{ limits: { pids: 1.5 } }, 'request.limits.pids', 1.5],
    [{ limits: { nproc: 1 } }, 'request.limits.nproc', 1],
    [{ limits: null }, 'request.limits', null]
  ])('refuses the limits of %o by name', (request, option, value) => {
    expect(resolving(request)).toMatchObject({ code: 'EINVAL', option, value })
  })

  it('refuses limits of settings and of a spec made by hand by name', async () => {
    expect(refusal(() => shell({ limits: { memoryBytes: 0 } }))).toMatchObject({
      option: 'limits.memoryBytes',
      value: 0
    })
    const live: LocalBashOptions['settings'] = { limits: { cpus: Number.NaN } }
    expect(refusal(() => shell({ settings: () => live }).resolve({ command: ':' }))).toMatchObject({
      option: 'settings.limits.cpus',
      value: Number.NaN
    })
    const executor = shell()
    const spec = { ...executor.resolve({ command: ':' }), limits: { openFiles: -1 } }
    await expect(executor.execute(spec)).rejects.toMatchObject({ option: 'spec.limits.openFiles', value: -1 })
  })

  it('makes a spec that nobody can change', () => {
    const env = { A: 'b' }
    const spec = shell().resolve({ command: ':', env })
    env.A = 'changed'
    expect(spec.env).toEqual({ A: 'b' })
    expect(() => Object.assign(spec, { timeoutMs: 1 })).toThrow(TypeError)
  })
})

describe('settings', () => {
  it.each(['timeoutMs', 'maxTimeoutMs', 'graceMs'])('refuses %s over the longest timer', (option) => {
    expect(refusal(() => shell({ [option]: 2_147_483_648 }))).toEqual({
      name: 'RangeError',
      message: `${option} must be a positive finite number no greater than 2147483647; got 2147483648`,
      code: 'EINVAL',
      option,
      value: 2_147_483_648
    })
  })

  it('refuses unknown options by name', () => {
    expect(refusal(() => shell({ timeout: 5 } as object))).toEqual({
      name: 'TypeError',
      message: 'timeout is an unknown option; got 5',
      code: 'EINVAL',
      option: 'timeout',
      value: 5
    })
  })

  it('reads the live layer at each resolve and leaves earlier specs alone', () => {
    let live: { graceMs?: number; maxOutputBytes?: number } | undefined
    const executor = shell({ graceMs: 50, settings: () => live })
    const before = executor.resolve({ command: ':' })
    live = { graceMs: 70, maxOutputBytes: 9 }
    const after = executor.resolve({ command: ':' })
    expect([before.graceMs, before.stdoutMaxBytes, after.graceMs, after.stdoutMaxBytes, after.stderrMaxBytes]).toEqual([
      50, 64_000, 70, 9, 9
    ])
  })

  it('checks the live layer when it is read', () => {
    const live: Record<string, unknown> = {}
    const executor = shell({ settings: live })
    live.graceMs = -1
    expect(refusal(() => executor.resolve({ command: ':' }))).toMatchObject({ option: 'settings.graceMs', value: -1 })
    delete live.graceMs
    live.grace = 5
    expect(refusal(() => executor.resolve({ command: ':' }))).toMatchObject({ option: 'settings.grace', value: 5 })
  })
})

describe('an error about the environment', () => {
  const names = 'must have only non-empty names without "=", NUL bytes and lone surrogates'

  it.each(['A=b', 'a\0', '\ud800', ''])('names the impossible name %j and shows nothing else', (name) => {
    expect(resolving({ env: { [name]: 'c', API_KEY: 'hunter2' } })).toEqual({
      name: 'TypeError',
      code: 'EINVAL',
      option: 'request.env',
      value: name,
      message: `request.env ${names}; got ${inspect(name)}`
    })
  })

  it('does not show the value of a variable', () => {
    expect(resolving({ env: { API_KEY: 'hunter2\0' } })).toEqual({
      name: 'TypeError',
      code: 'EINVAL',
      option: 'request.env.API_KEY',
      value: undefined,
      message: 'request.env.API_KEY must not contain a NUL byte (offset 7)'
    })
  })

  it('tells that a Map would be lost', () => {
    expect(resolving({ env: new Map([['A', 'b']]) })).toMatchObject({
      name: 'TypeError',
      option: 'request.env'
    })
  })
})
