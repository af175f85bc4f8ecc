import { describe, expect, it } from 'vitest'
import { SubprocessError } from '../../src/errors/subprocess-error.js'
import type { ConfinedArgv, SandboxExecutionPolicy } from '../../src/sandbox/types.js'
import { SandboxUnavailableError } from '../../src/sandbox/unavailable.js'
import { LocalBashExecutor } from '../../src/shell/local-bash.js'
import { SandboxBashExecutor } from '../../src/shell/sandbox-bash.js'
import type { ShellExecRequest, ShellExecution } from '../../src/shell/types.js'
import { confinedBy, ScriptedProvider } from '../fixtures/sandbox/scripted-provider.js'
import { ScriptedRuntime } from '../fixtures/shell/scripted-runtime.js'

const policy: SandboxExecutionPolicy = { mode: 'read-only', workspaceRoot: '/repo' }
const open: SandboxExecutionPolicy = { mode: 'danger-full-access', workspaceRoot: '/repo' }

function make() {
  const runtime = new ScriptedRuntime()
  const sandbox = new ScriptedProvider()
  const shell = new SandboxBashExecutor({ subprocess: runtime, cwd: '/', sandbox, policy })
  const execute = (request: Partial<ShellExecRequest> = {}): Promise<ShellExecution> =>
    shell.execute(shell.resolve({ command: 'echo hi', ...request }))
  return { runtime, sandbox, shell, execute }
}

/** An execution that ended with that code and those words on stderr. */
async function ended(exitCode: number | null, stderr: string, more: Partial<ConfinedArgv> = {}) {
  const { runtime, sandbox, execute } = make()
  sandbox.answers = [({ argv }) => confinedBy(argv, more)]
  const execution = await execute()
  runtime.handle.collected.stderr.write(stderr)
  runtime.handle.exit({ exitCode, signal: exitCode === null ? 'SIGTERM' : null })
  await execution.done
  return execution
}

const facts = { mode: 'read-only', enforcement: 'full', backend: 'scripted' }

describe('the provider', () => {
  it('wraps exactly bash -c under the policy, and its argv is used as it is', async () => {
    const { runtime, sandbox, execute } = make()
    await execute()
    expect(sandbox.asked).toEqual([{ argv: ['bash', '-c', 'echo hi'], policy, signal: expect.any(AbortSignal) }])
    expect(runtime.spawned).toEqual([expect.objectContaining({ argv: ['/opt/runner', '--', 'bash', '-c', 'echo hi'] })])
  })

  it('gets the policy of the request where there is one', async () => {
    const { sandbox, shell, execute } = make()
    const own = { ...policy, mode: 'workspace-write', sessionId: 's1', hiddenPaths: ['/secret'] } as const
    await execute({ sandboxPolicy: own })
    expect(sandbox.asked[0]?.policy).toEqual(own)
    expect(shell.resolve({ command: ':' }).sandboxPolicy).toEqual(policy)
    expect(shell.sandboxMode).toBe('read-only')
  })

  it('is asked within the deadline, which also ends the waiting for it', async () => {
    const { runtime, sandbox, execute } = make()
    sandbox.answers = [() => new Promise(() => {})]
    const execution = await execute({ timeoutMs: 20 })
    expect(await execution.result()).toMatchObject({ timedOut: true, exitCode: null })
    expect(sandbox.asked[0]?.signal?.reason).toMatchObject({ code: 'BASH_TIMEOUT' })
    expect(runtime.spawned).toEqual([])
  })

  it('takes its time from the deadline of the command', async () => {
    const { runtime, sandbox, execute } = make()
    sandbox.answers = [({ argv }) => new Promise((resolve) => setTimeout(() => resolve(confinedBy(argv)), 20))]
    await execute({ timeoutMs: 60_000 })
    expect(runtime.spawned[0]?.deadlineMs).toBeLessThanOrEqual(59_985)
  })

  it('that fails stops the call: nothing is spawned, and the error is its own', async () => {
    const { runtime, sandbox, execute } = make()
    const error = new SandboxUnavailableError({ mode: 'read-only', attempts: [] })
    sandbox.answers = [() => Promise.reject(error)]
    await expect(execute()).rejects.toBe(error)
    expect(runtime.spawned).toEqual([])
  })

  it('is given up by an abort with the reason of the caller, before and during its work', async () => {
    const { runtime, sandbox, execute } = make()
    const reason = new Error('stop')
    await expect(execute({ signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(sandbox.asked).toEqual([])
    const controller = new AbortController()
    sandbox.answers = [
      () => {
        controller.abort(reason)
        throw new SandboxUnavailableError({ mode: 'read-only', attempts: [] })
      }
    ]
    await expect(execute({ signal: controller.signal })).rejects.toBe(reason)
    expect(runtime.spawned).toEqual([])
  })

  it('is not asked in danger-full-access, and the result says only the mode and that nothing was denied', async () => {
    const { runtime, sandbox, execute } = make()
    const execution = await execute({ sandboxPolicy: open })
    expect(runtime.spawned[0]?.argv).toEqual(['bash', '-c', 'echo hi'])
    expect(execution.sandbox).toEqual({ mode: 'danger-full-access', denied: false })
    runtime.handle.collected.stderr.write('x: Read-only file system\n')
    runtime.handle.exit({ exitCode: 1, signal: null })
    expect((await execution.result()).sandbox).toEqual({ mode: 'danger-full-access', denied: false })
    expect(sandbox.asked).toEqual([])
  })
})

describe('a denial', () => {
  it('is a nonzero exit and words of the backend on stderr, in any case', async () => {
    const execution = await ended(1, 'sh: f: Read-only File System\n')
    expect(execution.sandbox).toEqual({ ...facts, denied: true })
    expect(await execution.result()).toMatchObject({ exitCode: 1, sandbox: { ...facts, denied: true } })
    expect(execution.status).toBe('completed')
  })

  it.each([
    ['exit code 0', 0, 'Read-only file system'],
    ['a death by signal', null, 'Read-only file system'],
    ['other words', 1, 'Permission denied'],
    ['no words', 1, '']
  ])('is not seen in %s', async (_, exitCode, stderr) => {
    expect((await ended(exitCode, stderr)).sandbox).toEqual({ ...facts, denied: false })
  })

  it('is false while the command runs', async () => {
    const { execute } = make()
    expect((await execute()).sandbox).toEqual({ ...facts, denied: false })
  })
})

describe('a failure of the runner', () => {
  it('comes before a denial, rejects the result with its line, and is a fact of the process', async () => {
    const execution = await ended(125, 'noise\nrunner: mount: Read-only file system\n')
    expect(execution.sandbox).toEqual({ ...facts, denied: false, runnerFailed: true })
    await expect(execution.result()).rejects.toMatchObject({
      name: 'SandboxUnavailableError',
      code: 'SANDBOX_UNAVAILABLE',
      mode: 'read-only',
      message: expect.stringMatching(/ Runner failure: runner: mount: Read-only file system$/)
    })
  })

  it.each([
    ['exit code 125 alone', 125, 'something else\n'],
    ['another exit code', 1, 'runner: mount: no\n'],
    ['only the notice of the runner', 125, 'RUNNER: Notice\n'],
    ['exit code 0', 0, 'runner: mount: no\n'],
    ['exit code 126', 126, ''],
    ['exit code 127', 127, 'bash: x: command not found\n']
  ])('is not seen in %s', async (_, exitCode, stderr) => {
    const execution = await ended(exitCode, stderr)
    expect(execution.sandbox).toEqual({ ...facts, denied: false })
    expect(await execution.result()).toMatchObject({ exitCode })
  })

  it('needs a signature that is not blank', async () => {
    const rules = [{ fatalSignatures: ['', '  '] }]
    expect((await ended(1, 'any  words\n', { runnerFailureRules: rules })).sandbox).toEqual({ ...facts, denied: false })
  })

  it('is not what an ended runner had to say', async () => {
    const { runtime, execute } = make()
    const execution = await execute()
    execution.kill()
    runtime.handle.collected.stderr.write('runner: ended\n')
    runtime.handle.exit({ exitCode: 125, signal: null })
    expect(await execution.result()).toMatchObject({ aborted: true, sandbox: { ...facts, denied: false } })
  })
})

describe('executions under different policies at the same time', () => {
  it('keep each its own facts and words', async () => {
    const { runtime, sandbox, execute } = make()
    sandbox.answers = [
      ({ argv }) => confinedBy(argv, { backend: 'one', denialSignatures: ['no way'] }),
      ({ argv }) =>
        confinedBy(argv, { backend: 'two', enforcement: 'partial', notGoverned: ['chmod'], warnings: ['w'] })
    ]
    const one = await execute()
    const two = await execute({ sandboxPolicy: { ...policy, mode: 'workspace-write' } })
    runtime.handle.collected.stderr.write('no way\n')
    runtime.handle.exit({ exitCode: 1, signal: null })
    await Promise.all([one.done, two.done])
    expect([one.sandbox, two.sandbox]).toEqual([
      { mode: 'read-only', enforcement: 'full', backend: 'one', denied: true },
      {
        mode: 'workspace-write',
        enforcement: 'partial',
        backend: 'two',
        notGoverned: ['chmod'],
        warnings: ['w'],
        denied: false
      }
    ])
  })
})

describe('a start that failed', () => {
  const spawnError = (more: object): Error => Object.assign(new Error('spawn failed'), more)
  const workdir = process.cwd()

  async function startFailed(error: unknown, folder = workdir) {
    const { runtime, execute } = make()
    const execution = await execute({ workdir: folder })
    runtime.handle.reject(error)
    const thrown = await execution.result().catch((reason: unknown) => reason)
    return { thrown, sandbox: execution.sandbox, runtime }
  }

  it.each([
    ['no path, syscall spawn <runner>', { code: 'ENOENT', syscall: 'spawn /opt/runner' }],
    ['the path, syscall spawn', { code: 'EACCES', path: '/opt/runner', syscall: 'spawn' }],
    ['the path, syscall spawn <runner>', { code: 'ENOENT', path: '/opt/runner', syscall: 'spawn /opt/runner' }]
  ])('is blamed on the runner that the error names exactly: %s', async (_, named) => {
    const error = spawnError(named)
    const { thrown, sandbox } = await startFailed(error)
    expect(thrown).toMatchObject({ code: 'SANDBOX_UNAVAILABLE', cause: error })
    expect((thrown as Error).message).toMatch(/ Runner failure: spawn failed$/)
    expect(sandbox).toEqual({ ...facts, denied: false, runnerFailed: true })
  })

  it('is blamed on the sandbox where the step was to enter it', async () => {
    const error = new SubprocessError({ stage: 'sandbox', errno: 1, argv0: 'bash', sandbox: { step: 'x', detail: '' } })
    expect((await startFailed(error)).thrown).toMatchObject({ code: 'SANDBOX_UNAVAILABLE', cause: error })
  })

  it.each([
    ['another code', { code: 'EAGAIN', syscall: 'spawn /opt/runner' }],
    ['another program', { code: 'ENOENT', path: '/bin/bash', syscall: 'spawn /bin/bash' }],
    ['another syscall', { code: 'ENOENT', path: '/opt/runner', syscall: 'open' }],
    ['no path, syscall spawn alone', { code: 'ENOENT', syscall: 'spawn' }]
  ])('passes through unchanged with %s', async (_, named) => {
    const error = spawnError(named)
    const { thrown, sandbox } = await startFailed(error)
    expect(thrown).toBe(error)
    expect(sandbox).toEqual({ ...facts, denied: false })
  })

  it.each([`${workdir}/no-such-folder`, `${workdir}/package.json`])(
    'stays a problem of the working folder %s, whatever it names',
    async (folder) => {
      const error = spawnError({ code: 'ENOENT', path: '/opt/runner', syscall: 'spawn /opt/runner' })
      expect((await startFailed(error, folder)).thrown).toBe(error)
    }
  )

  it('is read the same where the runtime throws at once', async () => {
    const { runtime, execute } = make()
    runtime.refusal = spawnError({ code: 'ENOENT', syscall: 'spawn /opt/runner' })
    const execution = await execute({ workdir })
    await expect(execution.result()).rejects.toMatchObject({ code: 'SANDBOX_UNAVAILABLE', cause: runtime.refusal })
    expect(execution.sandbox).toEqual({ ...facts, denied: false, runnerFailed: true })
  })
})

describe('an executor that does not confine', () => {
  const shell = new LocalBashExecutor({ subprocess: new ScriptedRuntime() })

  it('refuses a policy that asks for it, in requests and in specs', async () => {
    const refusal = /sandboxPolicy asks for confinement, and this executor does not confine/
    expect(() => shell.resolve({ command: ':', sandboxPolicy: policy })).toThrow(refusal)
    const spec = { ...shell.resolve({ command: ':' }), sandboxPolicy: policy }
    await expect(shell.execute(spec)).rejects.toThrow(refusal)
  })

  it('takes danger-full-access, and tells nothing of a sandbox', async () => {
    const execution = await shell.execute(shell.resolve({ command: ':', sandboxPolicy: open }))
    expect([execution.sandbox, shell.sandboxMode]).toEqual([undefined, undefined])
  })
})

describe('wrong policies', () => {
  it.each([
    [{ mode: 'none', workspaceRoot: '/' }, 'request.sandboxPolicy.mode'],
    [{ mode: 'read-only' }, 'request.sandboxPolicy.workspaceRoot'],
    [{ mode: 'read-only', workspaceRoot: 'repo' }, 'request.sandboxPolicy.workspaceRoot'],
    [{ ...policy, writableRoots: ['rel'] }, 'request.sandboxPolicy.writableRoots[0]'],
    [{ ...policy, hiddenPaths: '/x' }, 'request.sandboxPolicy.hiddenPaths'],
    [{ ...policy, network: 'off' }, 'request.sandboxPolicy.network'],
    [{ ...policy, sessionId: 5 }, 'request.sandboxPolicy.sessionId'],
    [{ ...policy, root: '/' }, 'request.sandboxPolicy.root'],
    ['read-only', 'request.sandboxPolicy']
  ])('%j is refused by the name of its field', (sandboxPolicy, option) => {
    const { shell } = make()
    expect(() => shell.resolve({ command: ':', sandboxPolicy: sandboxPolicy as SandboxExecutionPolicy })).toThrow(
      expect.objectContaining({ code: 'EINVAL', option })
    )
  })

  it('as a default are refused when the executor is made', () => {
    const options = { subprocess: new ScriptedRuntime(), sandbox: new ScriptedProvider() }
    expect(() => new SandboxBashExecutor({ ...options, policy: 5 as never })).toThrow(/policy must be an object/)
    expect(() => new SandboxBashExecutor({ ...options, sandbox: {} as never, policy })).toThrow(/SandboxProvider/)
  })
})
