import { mkdirSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { ApprovalOutcome } from '../../src/sandbox/approver.js'
import { SandboxPolicyService } from '../../src/sandbox/policy-service.js'
import type { SandboxMode } from '../../src/sandbox/types.js'
import { SandboxBashExecutor } from '../../src/shell/sandbox-bash.js'
import { bashTool, jobOutputTool, type ToolCall } from '../../src/tool/index.js'
import { needing } from '../fixtures/sandbox/real-backends.js'
import { confinedBy, ScriptedProvider } from '../fixtures/sandbox/scripted-provider.js'
import { RecordingShell } from '../fixtures/tool/recording-shell.js'
import { ScriptedApprover, sessionIn } from '../fixtures/tool/sessions.js'
import { jobIdOf } from '../fixtures/tool/texts.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-tool-')))
mkdirSync(join(folder, 'below'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

let context: Context
beforeEach(async () => {
  context = await createContext()
})
afterEach(() => context.dispose())

/** The tool on a shell that confines nothing really, but under the policies of the real service. */
function make() {
  const sandbox = new ScriptedProvider()
  sandbox.answers = [({ argv }) => confinedBy(argv, { argv })]
  const sandboxPolicy = new SandboxPolicyService({ workspaceRoot: folder })
  const policy = () => sandboxPolicy.policyFor()
  const shell = new RecordingShell(
    new SandboxBashExecutor({ subprocess: context.subprocess, cwd: '/', sandbox, policy })
  )
  const bash = bashTool({ shell, sandboxPolicy })
  const run = (command: string, more: object = {}, call?: ToolCall) =>
    bash.execute({ command, description: 'test', ...more }, call)
  return { sandbox, sandboxPolicy, shell, bash, run }
}

const wish = { sandbox_permissions: 'workspace-write', justification: 'to build' }
const failure = ({ name, code, refusal, message }: Error & Record<string, unknown>) => ({
  name,
  code,
  refusal,
  message
})

describe('the policy of a call', () => {
  it('is that of its session, and the mode that was recorded last', async () => {
    const { sandbox, run } = make()
    await run(':')
    await run(':', {}, { session: sessionIn(join(folder, 'below'), 's1') })
    await run(':', {}, { session: sessionIn(undefined, 's2', 'read-only', 'workspace-write') })
    await run(':', {}, { session: { id: 's3' } })
    expect(sandbox.asked.map(({ policy }) => policy)).toEqual([
      expect.objectContaining({ mode: 'read-only', workspaceRoot: folder }),
      expect.objectContaining({ mode: 'read-only', workspaceRoot: join(folder, 'below'), sessionId: 's1' }),
      expect.objectContaining({ mode: 'workspace-write', workspaceRoot: folder, sessionId: 's2' }),
      expect.objectContaining({ mode: 'read-only', workspaceRoot: folder, sessionId: 's3' })
    ])
  })

  it('gives the folder that commands run in', async () => {
    const { bash, run } = make()
    const pwd = async (more: object, call?: ToolCall) => bash.render(await run('pwd', more, call)).trim()
    expect(await pwd({})).toBe(folder)
    expect(await pwd({ workdir: 'below' })).toBe(join(folder, 'below'))
    expect(await pwd({ workdir: '..' }, { session: sessionIn(join(folder, 'below')) })).toBe(folder)
    expect(await pwd({ workdir: '/' })).toBe('/')
  })

  it('is told in the result, with a denial and the way to a wider mode', async () => {
    const { bash, run } = make()
    const output = await run('echo "x: Read-only file system" >&2; exit 1')
    expect(output).toMatchObject({ sandbox: { mode: 'read-only', denied: true, backend: 'scripted' } })
    expect(bash.outputSchema.parse(output)).toEqual(output)
    expect(bash.render(output).split('\n')).toEqual([
      ...['[stderr]', 'x: Read-only file system', '[sandbox: file access denied under read-only mode]'],
      '[to ask for a wider mode: sandbox_permissions workspace-write or danger-full-access, with a justification]',
      '[exit code: 1]'
    ])
    expect(await run('true')).toMatchObject({ sandbox: { mode: 'read-only', denied: false } })
  })

  it('that cannot be kept is an error, and so is a runner that failed', async () => {
    const { sandbox, run } = make()
    expect(await run('echo "runner: no namespace" >&2; exit 125').catch(failure)).toMatchObject({
      ...{ name: 'SandboxUnavailableError', code: 'SANDBOX_UNAVAILABLE' },
      message: /runner: no namespace/
    })
    sandbox.answers = [() => Promise.reject(new Error('no backend'))]
    expect(await run('true').catch(failure)).toMatchObject({ message: 'no backend' })
  })
})

describe('a wider mode for one call', () => {
  it('is asked for, and holds for that call alone', async () => {
    const { sandbox, run } = make()
    const approver = new ScriptedApprover()
    const { signal } = new AbortController()
    const session = sessionIn(folder, 's1')
    const text = 'escalate sandbox to workspace-write: to build'
    await run(':', wish, { session, approver, signal })
    await run(':', {}, { session, approver, signal })
    expect(approver.asked).toEqual([{ agent: session, mode: 'workspace-write', text, signal }])
    expect(sandbox.asked.map(({ policy }) => [policy.mode, policy.workspaceRoot, policy.sessionId])).toEqual([
      ...[
        ['workspace-write', folder, 's1'],
        ['read-only', folder, 's1']
      ]
    ])
  })

  it('needs no approval where it holds anyway', async () => {
    const { sandbox, run } = make()
    const approver = new ScriptedApprover(() => 'rejected')
    await run(':', wish, { session: sessionIn(folder, 's1', 'workspace-write'), approver })
    expect([approver.asked, sandbox.asked.map(({ policy }) => policy.mode)]).toEqual([[], ['workspace-write']])
  })

  const session = sessionIn(folder, 's1')
  const answering = (outcome: ApprovalOutcome) => ({ session, approver: new ScriptedApprover(() => outcome) })
  it.each<[string, object, ToolCall, string, RegExp]>([
    ['rejected', wish, answering('rejected'), 'rejected', /was rejected$/],
    ['cancelled', wish, answering('cancelled'), 'cancelled', /was cancelled/],
    ['not decided', wish, answering('unavailable'), 'unavailable', /gave no decision$/],
    ['asked of nobody', wish, { session }, 'unavailable', /there is nobody who approves$/],
    ['for no session', wish, { approver: new ScriptedApprover() }, 'unavailable', /there is no agent to ask for$/],
    ['without a reason', { ...wish, justification: ' ' }, answering('allowed-once'), 'invalid', /must not be blank$/],
    ['without a mode', { justification: 'x' }, answering('allowed-once'), 'invalid', /needs a mode$/],
    ['to no mode', { ...wish, sandbox_permissions: 'all' }, answering('allowed-once'), 'invalid', /the mode must be/]
  ])('%s leaves the command unrun', async (_, more, call, refusal, message) => {
    const { shell, run } = make()
    const refused = await run(':', more, call).catch(failure)
    expect(refused).toMatchObject({ name: 'EscalationError', code: 'ESCALATION_REFUSED', refusal, message })
    expect([shell.requests, shell.executed]).toEqual([[], []])
  })

  it('that is not wider is an error, and nobody is asked', async () => {
    const { run } = make()
    const approver = new ScriptedApprover()
    const call = { session: sessionIn(folder, 's1', 'danger-full-access'), approver }
    expect(await run(':', wish, call).catch(failure)).toMatchObject({
      refusal: 'invalid',
      message: /is not wider than/
    })
    expect(approver.asked).toEqual([])
  })

  it('that nobody ever decides ends with the call, and a late grant runs nothing', async () => {
    const { shell, run } = make()
    let grant: (outcome: ApprovalOutcome) => void = () => {}
    const approver = new ScriptedApprover(() => new Promise((resolve) => (grant = resolve)))
    const controller = new AbortController()
    const call = run(':', wish, { session, approver, signal: controller.signal }).catch(failure)
    controller.abort()
    expect(await call).toMatchObject({ name: 'AbortError', code: 'ABORTED', message: 'tool call aborted' })
    grant('allowed-once')
    await new Promise((resolve) => setImmediate(resolve))
    expect(shell.executed).toEqual([])
  })
})

describe('a confined job', () => {
  const ended = async (command: string) => {
    const { shell, sandboxPolicy } = make()
    const jobs = new LocalJobRegistry()
    const input = { command, description: 'x', run_in_background: true }
    const id = jobIdOf(await bashTool({ shell, jobs, sandboxPolicy }).execute(input))
    const tool = jobOutputTool({ jobs })
    return tool.render(await tool.execute({ job_id: id, wait: true })).split('\n')
  }

  it('tells of a denial once it has ended', async () => {
    expect(await ended('echo "x: Read-only file system" >&2; exit 1')).toEqual([
      ...['[stderr]', 'x: Read-only file system', '[sandbox: file access denied under read-only mode]'],
      '[to ask for a wider mode: sandbox_permissions workspace-write or danger-full-access, with a justification]',
      '[status: completed, exit code: 1]'
    ])
  })

  it('tells of a runner that failed in words of its own, and has failed', async () => {
    expect(await ended('echo "runner: no namespace" >&2; exit 125')).toEqual([
      ...['[stderr]', 'runner: no namespace'],
      '[sandbox: the runner failed under read-only mode; the command did not run]',
      expect.stringMatching(/^\[status: failed, .*runner: no namespace/)
    ])
  })
})

describe('on a real sandbox', () => {
  needing('native')('a denied write succeeds in the mode that was asked for after it', async () => {
    const workspace = realpathSync(mkdtempSync(join(process.cwd(), 'build', 'tool-workspace-')))
    const confined = await createContext({ cwd: workspace, sandbox: { backends: ['native'] } })
    try {
      const { shell, sandboxPolicy } = confined
      const bash = bashTool({ shell, sandboxPolicy })
      const session = sessionIn(workspace)
      const write = async (more: object = {}) =>
        bash.execute(
          { command: 'echo x > file && cat file', description: 'write', ...more },
          { session, approver: new ScriptedApprover() }
        )
      expect(await write()).toMatchObject({ exitCode: 1, sandbox: { mode: 'read-only', denied: true } })
      const mode: SandboxMode = 'workspace-write'
      expect(await write({ sandbox_permissions: mode, justification: 'to write' })).toMatchObject({
        ...{ exitCode: 0, stdout: { text: 'x\n' }, sandbox: { mode, denied: false } }
      })
      expect(await write({ command: 'echo y > file' })).toMatchObject({ sandbox: { denied: true } })
    } finally {
      await confined.dispose()
      rmSync(workspace, { recursive: true, force: true })
    }
  })
})
