import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import { LocalJobRegistry } from '../../src/jobs/local-registry.js'
import type { JobSnapshot, JobWaitRequest } from '../../src/jobs/types.js'
import { type BashTool, type BashToolOptions, bashTool, jsonSchemaOf, type ToolCall } from '../../src/tool/index.js'
import { providers, testOn } from '../fixtures/shell/providers.js'
import { RecordingShell } from '../fixtures/tool/recording-shell.js'
import { ScriptedApprover, sessionIn } from '../fixtures/tool/sessions.js'
import { jobIdOf } from '../fixtures/tool/texts.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-tool-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const aborted = { name: 'AbortError', code: 'ABORTED', message: 'tool call aborted' }
const failure = (error: unknown) => error
const owner = 's1'
const call: ToolCall = { session: sessionIn(folder, owner) }

describe.each(providers)('commands as jobs on %o', (subprocess) => {
  const test = testOn(subprocess)
  let context: Context
  let shell: RecordingShell
  let bash: BashTool
  const toolWith = (options: Partial<BashToolOptions> = {}) => bashTool({ shell, jobs: context.jobs, ...options })
  const run = (command: string, more: object = {}, given: ToolCall = call) =>
    bash.execute({ command, description: 'test', ...more }, given)
  const states = () => context.jobs.list({ owner }).map(({ id, state }) => `${id} ${state}`)

  beforeEach(async () => {
    context = await createContext({ cwd: folder, subprocess, shell: { graceMs: 500 } })
    shell = new RecordingShell(context.shell)
    bash = toolWith()
  })
  afterEach(() => context.dispose())

  describe('in the foreground', () => {
    test('give what they give without a registry, and are forgotten as jobs', async () => {
      const ended: JobSnapshot[] = []
      context.jobs.onCompletion((job) => ended.push(job))
      const output = await run('printf out; printf err >&2; exit 3')
      expect(output).toEqual({
        ...{ kind: 'foreground', exitCode: 3, signal: null, timedOut: false, aborted: false, timeoutMs: 120_000 },
        stdout: { text: 'out', truncated: false, totalBytes: 3 },
        stderr: { text: 'err', truncated: false, totalBytes: 3 }
      })
      const job = { id: 'bash-1', kind: 'bash', label: 'test', owner, state: 'completed', detail: 'exit code: 3' }
      expect(ended).toEqual([expect.objectContaining({ ...job, reported: true })])
      expect(states()).toEqual([])
    })

    test('are jobs while they run', async () => {
      const marker = sleepMarker()
      const output = run(`sleep ${marker}`).catch(failure)
      await until(() => running(marker).length === 1)
      expect(states()).toEqual(['bash-1 running'])
      context.jobs.kill('bash-1', { owner })
      expect(await output).toMatchObject(aborted)
      expect([states(), running(marker)]).toEqual([[], []])
    })

    test('that outlast the wait stay the jobs that they are, with what they have printed so far', async () => {
      const marker = sleepMarker()
      const command = `echo out; echo err >&2; sleep ${marker} & wait; echo late`
      const output = await run(command, { timeoutMs: 1_000 })
      expect(output).toEqual({
        ...{ kind: 'promoted', jobId: 'bash-1', timeoutMs: 1_000, stdout: 'out\n', stderr: 'err\n' },
        ...{ lossy: false, spillPaths: [] }
      })
      expect(bash.outputSchema.parse(output)).toEqual(output)
      expect(bash.render(output)).toBe(
        'out\n[stderr]\nerr\n[still running after 1000ms; moved to background job bash-1]'
      )
      expect(states()).toEqual(['bash-1 running'])
      for (const pid of running(marker)) process.kill(pid)
      await context.jobs.wait('bash-1', { owner })
      const { stdout } = context.jobs.read('bash-1', { owner })
      expect({ stdout, states: states() }).toEqual({ stdout: 'out\nlate\n', states: ['bash-1 completed'] })
    })

    test('end with the call in whichever moment between its approval and its start it is ended', async () => {
      // Each turn of the microtask queue is one such moment.
      for (let turns = 0; turns < 15; turns++) {
        const controller = new AbortController()
        const output = run('exec sleep 60', { timeoutMs: 500 }, { ...call, signal: controller.signal }).catch(failure)
        for (let turn = 0; turn < turns; turn++) await Promise.resolve()
        controller.abort()
        expect(await output).toMatchObject(aborted)
        expect(states()).toEqual([])
      }
    })

    test('that outlast the wait no longer end with the call', async () => {
      const controller = new AbortController()
      const marker = sleepMarker()
      const output = await run(`sleep ${marker}`, { timeoutMs: 1_000 }, { ...call, signal: controller.signal })
      controller.abort()
      await new Promise((resolve) => setTimeout(resolve, 100))
      expect([output.kind, running(marker).length, states()]).toEqual(['promoted', 1, ['bash-1 running']])
    })

    test('end with the call until it has returned', async () => {
      const controller = new AbortController()
      const marker = sleepMarker()
      const output = run(`sleep ${marker} & sleep ${marker}`, {}, { ...call, signal: controller.signal }).catch(failure)
      await until(() => running(marker).length === 2)
      controller.abort(new Error('enough'))
      expect(await output).toMatchObject({ ...aborted, cause: { message: 'enough' } })
      expect([running(marker), states()]).toEqual([[], []])
    })

    test('that trap TERM are over, and not only asked to end, when the call rejects', async () => {
      const controller = new AbortController()
      const marker = sleepMarker()
      const command = `(trap "" TERM; sleep ${marker}; exit) & trap "exit 0" TERM; wait`
      const output = run(command, {}, { ...call, signal: controller.signal }).catch(failure)
      await until(() => running(marker).length === 1)
      controller.abort()
      expect(await output).toMatchObject(aborted)
      expect(running(marker)).toEqual([])
    })

    test('meet their deadline where they are not to outlast it', async () => {
      bash = toolWith({ promoteOnTimeout: false })
      const output = await run('echo x; exec sleep 60', { timeoutMs: 1_000 })
      expect(output).toMatchObject({ kind: 'foreground', timedOut: true, timeoutMs: 1_000, signal: 'SIGTERM' })
      expect(bash.render(output)).toBe('x\n[timed out after 1000ms]\n[killed by signal: SIGTERM]')
      expect([bash.description, toolWith().description]).toEqual([
        ...[expect.stringContaining('timeoutMs is ended'), expect.stringContaining('goes on as a background job')]
      ])
    })

    test('run without being jobs where the registry takes no more, and meet their deadline', async () => {
      for (let n = 0; n < 10; n++) await run('exec sleep 60', { run_in_background: true })
      expect(await run('echo x; exec sleep 60', { timeoutMs: 200 })).toMatchObject({
        kind: 'foreground',
        timedOut: true
      })
      expect(states()).toHaveLength(10)
      expect(await run('echo x', { run_in_background: true }).catch(failure)).toMatchObject({ code: 'JOB_LIMIT' })
    })

    test('that end in the very moment in which the wait is over have ended', async () => {
      class LateRegistry extends LocalJobRegistry {
        override async wait(id: string, request: JobWaitRequest = {}): Promise<JobSnapshot> {
          const ended = await super.wait(id, { ...request, timeoutMs: undefined })
          return { ...ended, state: 'running' }
        }
      }
      bash = toolWith({ jobs: new LateRegistry() })
      expect(await run('echo x; exit 2', { timeoutMs: 100 })).toMatchObject({ kind: 'foreground', exitCode: 2 })
    })

    test('do not go on unseen when the registry fails the call', async () => {
      class FailingRegistry extends LocalJobRegistry {
        override wait(): Promise<JobSnapshot> {
          return until(() => running(marker).length === 1).then(() => Promise.reject(new Error('no wait')))
        }
      }
      const marker = sleepMarker()
      bash = toolWith({ jobs: new FailingRegistry() })
      expect(await run(`sleep ${marker}`).catch(failure)).toMatchObject({ message: 'no wait' })
      await until(() => running(marker).length === 0)
    })

    test('that cannot be started are errors, and no jobs are left', async () => {
      const missing = await run(':', { workdir: 'nowhere' }).catch(failure)
      expect(missing).toMatchObject({ name: 'SubprocessError', stage: 'chdir', path: `${folder}/nowhere` })
      expect(states()).toEqual([])
    })

    test('are an error when the host has ended them', async () => {
      const marker = sleepMarker()
      const output = run(`sleep ${marker}`).catch(failure)
      await until(() => running(marker).length === 1)
      await context.dispose()
      expect(await output).toMatchObject(aborted)
    })
  })

  describe('in the background', () => {
    const start = async (command: string, given: ToolCall = call) =>
      jobIdOf(await run(command, { run_in_background: true }, given))
    const ended = async (id: string) => {
      const { state, detail } = await context.jobs.wait(id, { owner })
      return `${state}, ${detail}`
    }

    test('answer at once with the id of their job, which has no deadline', async () => {
      const output = await run('sleep 0.5; echo done', { run_in_background: true, timeoutMs: 100 })
      expect(output).toEqual({ kind: 'background', jobId: 'bash-1' })
      expect(bash.render(output)).toBe('[started as background job bash-1]')
      expect(bash.outputSchema.parse(output)).toEqual(output)
      expect(states()).toEqual(['bash-1 running'])
      expect(await ended('bash-1')).toBe('completed, exit code: 0')
      expect(context.jobs.read('bash-1', { owner }).stdout).toBe('done\n')
    })

    test('tell how they ended', async () => {
      expect(await ended(await start('exit 3'))).toBe('completed, exit code: 3')
      expect(await ended(await start('kill -KILL $$'))).toBe('killed, signal: SIGKILL')
      const marker = sleepMarker()
      const [plain, trapping] = [
        await start(`exec sleep ${marker}`),
        await start(`trap "exit 0" TERM; sleep ${marker} & wait`)
      ]
      await until(() => running(marker).length === 2)
      for (const id of [plain, trapping]) context.jobs.kill(id, { owner })
      expect([await ended(plain), await ended(trapping)]).toEqual([
        'killed, signal: SIGTERM',
        'killed, killed before exit'
      ])
      expect(running(marker)).toEqual([])
    })

    test('that cannot be started have failed, and say why', async () => {
      const output = await run(':', { run_in_background: true, workdir: 'nowhere' })
      expect(await ended(jobIdOf(output))).toMatch(/^failed, .*nowhere/)
      expect(context.jobs.read('bash-1', { owner }).stderr).toMatch(/^spawn failed: /)
    })

    test('outlive the call that began them', async () => {
      const controller = new AbortController()
      const marker = sleepMarker()
      await start(`sleep ${marker}`, { ...call, signal: controller.signal })
      controller.abort()
      await until(() => running(marker).length === 1)
      expect(states()).toEqual(['bash-1 running'])
    })

    test('do not start in a call that was ended while its wider mode was being decided', async () => {
      const confined = await createContext({ cwd: folder, subprocess, sandbox: { mode: 'read-only' } })
      const { jobs, sandboxPolicy } = confined
      const recording = new RecordingShell(confined.shell)
      const controller = new AbortController()
      const approver = new ScriptedApprover(() => {
        controller.abort()
        return 'allowed-once'
      })
      const wish = { sandbox_permissions: 'workspace-write', justification: 'x' }
      const input = { command: ':', description: 'x', run_in_background: true, ...wish }
      const tool = bashTool({ shell: recording, jobs, sandboxPolicy })
      const output = tool.execute(input, { ...call, signal: controller.signal, approver }).catch(failure)
      expect(await output).toMatchObject(aborted)
      expect([approver.asked.length, recording.executed, jobs.list({ owner })]).toEqual([1, [], []])
      await confined.dispose()
    })

    test('are neither offered nor possible where they are switched off', async () => {
      const off = toolWith({ background: false })
      const message = 'bash: run_in_background is not possible: background commands are switched off'
      const input = { command: ':', description: 'x', run_in_background: true }
      expect(await off.execute(input, call).catch(failure)).toMatchObject({ code: 'BACKGROUND_UNAVAILABLE', message })
      expect(shell.executed).toEqual([])
      const offered = [off, toolWith()].map((tool) => 'run_in_background' in (jsonSchemaOf(tool).properties as object))
      expect(offered).toEqual([false, true])
    })

    test('are checked like others before there is a job', async () => {
      expect(await run(':', { run_in_background: true, timeoutMs: -1 }).catch(failure)).toMatchObject({
        code: 'EINVAL'
      })
      expect(states()).toEqual([])
    })

    test('belong to their session, and those of none to everybody', async () => {
      await start('exec sleep 60')
      const open = await start('exec sleep 60', {})
      expect(context.jobs.list({ owner: 's2' }).map(({ id }) => id)).toEqual([open])
    })
  })
})
