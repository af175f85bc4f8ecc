import { afterEach, describe, expect, it, vi } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { type createContext as CreateContext, createContext } from '../../src/context/create-context.js'
import type { ContextOptions } from '../../src/context/options.js'
import type { Warning } from '../../src/context/warnings.js'
import { LocalSandboxProvider } from '../../src/sandbox/local/local-provider.js'
import { NodeSubprocessRuntime } from '../../src/subprocess/node/node-runtime.js'
import { providers, testOn } from '../fixtures/shell/providers.js'

const node = { provider: 'node' } as const
const silent = (): void => undefined

async function refusal(options: unknown): Promise<unknown> {
  return createContext(options as ContextOptions).then(
    (context) => context.dispose().then(() => 'accepted'),
    ({ name, message, code, option, value }) => ({ name, message, code, option, value })
  )
}

describe('options', () => {
  it.each([
    [{ cwd: '' }, 'TypeError', 'cwd', "must be a path; got ''"],
    [{ cwd: ['/'] }, 'TypeError', 'cwd', "must be a path; got [ '/' ]"],
    [{ shell: null }, 'TypeError', 'shell', 'must be an object; got null'],
    [{ shell: { timeoutMs: -1 } }, 'RangeError', 'shell.timeoutMs', delay('-1')],
    [{ shell: { timeoutMs: '5' } }, 'TypeError', 'shell.timeoutMs', delay("'5'")],
    [{ shell: { maxTimeoutMs: 2_147_483_648 } }, 'RangeError', 'shell.maxTimeoutMs', delay('2147483648')],
    [{ shell: { graceMs: Number.NaN } }, 'RangeError', 'shell.graceMs', delay('NaN')],
    [
      { shell: { maxOutputBytes: 1.5 } },
      'RangeError',
      'shell.maxOutputBytes',
      'must be a positive safe integer; got 1.5'
    ],
    [{ shell: { maxSpillBytes: 0 } }, 'RangeError', 'shell.maxSpillBytes', 'must be a positive safe integer; got 0'],
    [{ shell: { timeout: 5 } }, 'TypeError', 'shell.timeout', 'is an unknown option; got 5'],
    [{ shell: { limits: 5 } }, 'TypeError', 'shell.limits', 'must be an object; got 5'],
    [{ shell: { limits: { mem: 5 } } }, 'TypeError', 'shell.limits.mem', 'is an unknown option; got 5'],
    [
      { shell: { limits: { cpus: 0 } } },
      'RangeError',
      'shell.limits.cpus',
      'must be a number from 0.01 to 8192; got 0'
    ],
    [
      { shell: { limits: { memoryBytes: '1g' } } },
      'TypeError',
      'shell.limits.memoryBytes',
      "must be a positive safe integer; got '1g'"
    ],
    [{ jobs: 5 }, 'TypeError', 'jobs', 'must be an object; got 5'],
    [
      { jobs: { maxActivePerOwner: 0 } },
      'RangeError',
      'jobs.maxActivePerOwner',
      'must be a positive safe integer; got 0'
    ],
    [
      { jobs: { maxEndedPerOwner: '3' } },
      'TypeError',
      'jobs.maxEndedPerOwner',
      "must be a positive safe integer; got '3'"
    ],
    [
      { jobs: { outputLimitBytes: 1.5 } },
      'RangeError',
      'jobs.outputLimitBytes',
      'must be a positive safe integer; got 1.5'
    ],
    [{ jobs: { disposeTimeoutMs: -1 } }, 'RangeError', 'jobs.disposeTimeoutMs', delay('-1')],
    [{ jobs: { serves: true } }, 'TypeError', 'jobs.serves', 'must be a function; got true'],
    [{ jobs: { limit: 5 } }, 'TypeError', 'jobs.limit', 'is an unknown option; got 5'],
    [{ sandbox: 'read-only' }, 'TypeError', 'sandbox', "must be an object; got 'read-only'"],
    [{ sandbox: new Map() }, 'TypeError', 'sandbox', 'must be an object; got Map(0) {}'],
    [
      { sandbox: { mode: 'none' } },
      'TypeError',
      'sandbox.mode',
      "must be 'read-only', 'workspace-write' or 'danger-full-access'; got 'none'"
    ],
    [{ sandbox: { workspaceRoot: '' } }, 'TypeError', 'sandbox.workspaceRoot', "must be a path; got ''"],
    [
      { sandbox: { backends: ['jail'] } },
      'TypeError',
      'sandbox.backends[0]',
      "must be 'native', 'bwrap', 'landlock' or 'seatbelt'; got 'jail'"
    ],
    [{ sandbox: { backends: [] } }, 'TypeError', 'sandbox.backends', 'must name at least one backend; got []'],
    [{ sandbox: { probeTimeoutMs: 0 } }, 'RangeError', 'sandbox.probeTimeoutMs', delay('0')],
    [
      { sandbox: { writableRoots: ['/a', 'b'] } },
      'TypeError',
      'sandbox.writableRoots[1]',
      "must be an absolute path; got 'b'"
    ],
    [
      { sandbox: { hiddenPaths: '/a' } },
      'TypeError',
      'sandbox.hiddenPaths',
      "must be a list of absolute paths; got '/a'"
    ],
    [{ sandbox: { network: 'off' } }, 'TypeError', 'sandbox.network', "must be 'host' or 'none'; got 'off'"],
    [{ sandbox: { runnerCommand: 'x' } }, 'TypeError', 'sandbox.runnerCommand', "must be a list of strings; got 'x'"],
    [
      { sandbox: { runnerCommand: ['x'] } },
      'TypeError',
      'sandbox.runnerFailureSignatures',
      'must be given together with runnerCommand; got undefined'
    ],
    [
      { sandbox: { runnerFailureSignatures: ['x: '] } },
      'TypeError',
      'sandbox.runnerFailureSignatures',
      "must be given together with runnerCommand; got [ 'x: ' ]"
    ],
    [
      { sandbox: { runnerCommand: ['x'], runnerFailureSignatures: [' '] } },
      'TypeError',
      'sandbox.runnerFailureSignatures[0]',
      "must be a single line that is not blank; got ' '"
    ],
    [{ sandbox: { root: '/' } }, 'TypeError', 'sandbox.root', "is an unknown option; got '/'"],
    [{ subprocess: { niceness: 5 } }, 'TypeError', 'subprocess.niceness', 'is an unknown option; got 5'],
    [
      { subprocess: { provider: 'wasm' } },
      'TypeError',
      'subprocess.provider',
      "must be 'auto', 'native' or 'node'; got 'wasm'"
    ],
    [{ subprocess: { ranges: [] } }, 'TypeError', 'subprocess.ranges', 'must name at least one range kind; got []'],
    [
      { subprocess: { ranges: 'group' } },
      'TypeError',
      'subprocess.ranges',
      "must be a list of range kinds; got 'group'"
    ],
    [
      { subprocess: { ranges: ['group', 'jail'] } },
      'TypeError',
      'subprocess.ranges[1]',
      "must be 'cgroup', 'scope', 'supervisor' or 'group'; got 'jail'"
    ],
    [{ subprocess: { spillDir: 'a\0' } }, 'TypeError', 'subprocess.spillDir', "must be a path; got 'a\\x00'"],
    [
      { subprocess: { onHostCrash: 'kill' } },
      'TypeError',
      'subprocess.onHostCrash',
      "must be 'end' or 'leave'; got 'kill'"
    ],
    [{ cwd: '/a\ud800' }, 'TypeError', 'cwd', "must be a path; got '/a\\ud800'"],
    [{ subprocess: { spillDir: '\udc00' } }, 'TypeError', 'subprocess.spillDir', "must be a path; got '\\udc00'"],
    [{ cwd: 5 }, 'TypeError', 'cwd', 'must be a path; got 5'],
    [{ shell: 5 }, 'TypeError', 'shell', 'must be an object; got 5'],
    [{ onWarning: 5 }, 'TypeError', 'onWarning', 'must be a function; got 5'],
    [{ subprocess: { provider: 5 } }, 'TypeError', 'subprocess.provider', "must be 'auto', 'native' or 'node'; got 5"],
    [{ subprocess: { ranges: 5 } }, 'TypeError', 'subprocess.ranges', 'must be a list of range kinds; got 5'],
    [5, 'TypeError', 'options', 'must be an object; got 5'],
    [{ onWarning: 'log' }, 'TypeError', 'onWarning', "must be a function; got 'log'"],
    ['/repo', 'TypeError', 'options', "must be an object; got '/repo'"]
  ])('refuses %j', async (options, name, option, problem) => {
    const value =
      option === 'options'
        ? options
        : option
            .split(/[.[\]]+/)
            .filter(Boolean)
            .reduce(at, options)
    expect(await refusal(options)).toEqual({
      name,
      message: `createContext: ${option} ${problem}`,
      code: 'EINVAL',
      option,
      value
    })
  })

  it('accepts nothing at all, and undefined for everything', async () => {
    expect(
      await refusal({
        cwd: undefined,
        shell: { timeoutMs: undefined, limits: { pids: 5, cpus: undefined } },
        subprocess: {
          ...node,
          ranges: undefined,
          cgroupParent: undefined,
          spillDir: undefined,
          onHostCrash: undefined
        },
        onWarning: silent
      })
    ).toBe('accepted')
  })

  it('of the sandbox compose a provider, a policy and an executor that confines, which start nothing', async () => {
    const sandbox = {
      mode: 'workspace-write',
      workspaceRoot: 'test',
      backends: ['bwrap'],
      probeTimeoutMs: 9,
      runnerCommand: [],
      writableRoots: ['/var/tmp'],
      hiddenPaths: ['/root'],
      network: 'none'
    } as const
    await using context = await createContext({ sandbox, subprocess: node, onWarning: silent })
    expect(context.sandbox).toBeInstanceOf(LocalSandboxProvider)
    expect(context.shell.sandboxMode).toBe('workspace-write')
    const policy = context.sandboxPolicy?.policyFor()
    expect(context.shell.resolve({ command: ':' }).sandboxPolicy).toEqual(policy)
    expect(policy).toEqual({
      mode: 'workspace-write',
      workspaceRoot: `${process.cwd()}/test`,
      writableRoots: ['/var/tmp'],
      hiddenPaths: ['/root'],
      network: 'none'
    })
  })

  it('of the sandbox may be empty: read-only, with the working folder as the workspace', async () => {
    await using context = await createContext({ cwd: '/', sandbox: {}, subprocess: node, onWarning: silent })
    expect(context.sandboxPolicy?.policyFor()).toMatchObject({ mode: 'read-only', workspaceRoot: '/' })
  })

  it('of the sandbox may name the workspace below the working folder', async () => {
    await using context = await createContext({ cwd: '/usr', sandbox: { workspaceRoot: 'share' } })
    expect(context.sandboxPolicy?.policyFor()).toMatchObject({ workspaceRoot: '/usr/share' })
  })

  it('without a sandbox give neither provider nor policy', async () => {
    await using context = await createContext({ subprocess: node, onWarning: silent })
    expect([context.sandbox, context.sandboxPolicy, context.shell.sandboxMode]).toEqual([
      undefined,
      undefined,
      undefined
    ])
  })

  it('reach the shell, a relative folder as an absolute one', async () => {
    const shell = { timeoutMs: 7, maxTimeoutMs: 8, maxOutputBytes: 9, maxSpillBytes: 10, graceMs: 11 }
    await using context = await createContext({ cwd: 'test', shell, subprocess: node, onWarning: silent })
    expect(context.shell.resolve({ command: ':' })).toMatchObject({
      workdir: `${process.cwd()}/test`,
      timeoutMs: 7,
      stdoutMaxBytes: 9,
      stderrMaxBytes: 9,
      maxSpillBytes: 10,
      graceMs: 11
    })
    expect(context.shell.resolve({ command: ':', timeoutMs: 99 }).timeoutMs).toBe(8)
  })
})

function delay(shown: string): string {
  return `must be a positive finite number no greater than 2147483647; got ${shown}`
}

function at(value: unknown, key: string): unknown {
  return (value as Record<string, unknown>)[key]
}

describe('a range that this host or provider lacks', () => {
  it.each([
    ['ranges', ['cgroup']],
    ['ranges', ['scope', 'supervisor']],
    ['cgroupParent', '/sys/fs/cgroup/no-such']
  ])('is an error that names subprocess.%s and the value %j', async (option, value) => {
    expect(await refusal({ subprocess: { ...node, [option]: value } })).toEqual({
      name: 'UnavailableOptionError',
      message: expect.stringContaining(`createContext: subprocess.${option} ${JSON.stringify(value)} cannot be had`),
      code: 'RANGE_UNAVAILABLE',
      option: `subprocess.${option}`,
      value
    })
  })
})

describe('without a native core', () => {
  afterEach(() => {
    vi.doUnmock('../../src/subprocess/native/native-runtime.js')
    vi.resetModules()
  })

  /** `createContext` of a process in which the addon cannot be loaded, and which has not warned yet. */
  async function freshCreateContext(): Promise<typeof CreateContext> {
    vi.resetModules()
    vi.doMock('../../src/subprocess/native/native-runtime.js', () => ({
      NativeSubprocessRuntime: class {
        constructor() {
          throw Object.assign(new Error('tried /a and /b'), { code: 'ADDON_UNAVAILABLE' })
        }
      }
    }))
    return (await import('../../src/context/create-context.js')).createContext
  }

  it('auto takes the fallback, and warns once in a process with what is weaker and the remedy', async () => {
    const fresh = await freshCreateContext()
    const warnings: Warning[] = []
    const onWarning = (warning: Warning): number => warnings.push(warning)
    const contexts = [await fresh({ onWarning }), await fresh({ onWarning })]
    expect(contexts.map(({ subprocess }) => subprocess.range.kind)).toEqual(['group', 'group'])
    await Promise.all(contexts.map((context) => context.dispose()))
    expect(warnings.filter(({ code }) => code === 'QUIESCE_FALLBACK')).toEqual([
      {
        code: 'QUIESCE_FALLBACK',
        message: expect.stringMatching(/\(tried \/a and \/b\): deadlines wait for the event loop.* quiesce doctor/)
      }
    ])
  })

  it('warns through the process where no other way is given', async () => {
    const fresh = await freshCreateContext()
    const emitted = vi.spyOn(process, 'emitWarning').mockImplementation(() => undefined)
    try {
      await (await fresh()).dispose()
      expect(emitted.mock.calls).toContainEqual([
        expect.stringContaining('native core is not available'),
        { type: 'QuiesceWarning', code: 'QUIESCE_FALLBACK' }
      ])
    } finally {
      emitted.mockRestore()
    }
  })

  it('native is an error that names the option and keeps the cause', async () => {
    const fresh = await freshCreateContext()
    await expect(fresh({ subprocess: { provider: 'native' } })).rejects.toMatchObject({
      name: 'UnavailableOptionError',
      message: 'createContext: subprocess.provider "native" cannot be had on this host: tried /a and /b',
      code: 'ADDON_UNAVAILABLE',
      option: 'subprocess.provider',
      value: 'native',
      cause: { code: 'ADDON_UNAVAILABLE' }
    })
  })
})

describe.each(providers)('the disposal of a context on %o', (subprocess) => {
  const test = testOn(subprocess)
  const create = (): Promise<Context> => createContext({ subprocess, shell: { graceMs: 500 }, onWarning: silent })

  test('ends and awaits everything, once, whichever way it is asked for', async () => {
    const context = await create()
    const execution = await context.shell.execute(context.shell.resolve({ command: 'sleep 60 & wait' }))
    const disposals = [context.dispose(), context[Symbol.asyncDispose](), context.dispose()]
    await Promise.all(disposals)
    expect(new Set(disposals).size).toBe(1)
    expect(await execution.waitForExit(AbortSignal.abort())).toBe(true)
    expect(await execution.result()).toMatchObject({ quiescent: true, aborted: true, signal: 'SIGTERM' })
  })

  test('works in the middle of a spawn', async () => {
    const context = await create()
    const execution = context.shell.execute(context.shell.resolve({ command: 'sleep 60' }))
    const disposal = context.dispose()
    expect(await (await execution).result()).toMatchObject({ exitCode: null, timedOut: false, aborted: true })
    await disposal
  })

  test('makes every later use a clear error', async () => {
    const context = await create()
    await context.dispose()
    await expect(context.shell.run({ command: ':' })).rejects.toThrow(/disposed/)
    expect(() =>
      context.subprocess.spawn({
        argv: ['true'],
        cwd: '/',
        stdio: { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
        graceMs: 5
      })
    ).toThrow(/disposed/)
  })

  test('leaves the commands of another context alone', async () => {
    await using other = await create()
    const survivor = await other.shell.execute(
      other.shell.resolve({ command: 'trap "exit 3" USR1; echo $$; while :; do sleep 0.02; done' })
    )
    while (!survivor.observed.stdout.readFrom(0).text.endsWith('\n')) await new Promise((go) => setTimeout(go, 5))
    await (await create()).dispose()
    process.kill(Number(survivor.readOutput().delta), 'SIGUSR1')
    expect(await survivor.result()).toMatchObject({ exitCode: 3, aborted: false })
  })
})

it('uses the provider that it is told to use', async () => {
  await using context = await createContext({ subprocess: node, onWarning: silent })
  expect(context.subprocess).toBeInstanceOf(NodeSubprocessRuntime)
})
