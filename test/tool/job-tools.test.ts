import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import {
  bashTool,
  contextTools,
  type JobToolOptions,
  jobKillTool,
  jobListTool,
  jobOutputTool,
  jobTools,
  jsonSchemaOf,
  type ToolCall
} from '../../src/tool/index.js'
import { providers, testOn } from '../fixtures/shell/providers.js'
import { jobIdOf } from '../fixtures/tool/texts.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'

const failure = (error: unknown) => error
const first: ToolCall = { session: { id: 's1' } }
const second: ToolCall = { session: { id: 's2' } }

describe.each(providers)('the job tools on %o', (subprocess) => {
  const test = testOn(subprocess)
  let context: Context

  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-tool-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  /** Part of a command: goes on when the test says so. */
  const untilGo = 'until [ -e go ]; do sleep 0.02; done'
  const go = () => writeFileSync(join(folder, 'go'), '')

  beforeEach(async () => {
    rmSync(join(folder, 'go'), { force: true })
    context = await createContext({ cwd: folder, subprocess, shell: { graceMs: 500, maxOutputBytes: 2_000 } })
  })
  afterEach(() => context.dispose())

  const start = async (command: string, call = first, description = 'test', outputLimitBytes?: number) => {
    if (outputLimitBytes !== undefined) return limited(command, outputLimitBytes)
    const input = { command, description, run_in_background: true }
    return jobIdOf(await bashTool({ shell: context.shell, jobs: context.jobs }).execute(input, call))
  }

  /** A job whose messages have a bound of their own. */
  const limited = (command: string, outputLimitBytes: number): string => {
    const execution = context.shell.execute(context.shell.resolve({ command }))
    const done = execution.then(async (running) => {
      await running.done
      return { state: 'completed', detail: `exit code: ${running.exitCode}` } as const
    })
    let output: { stdout: never; stderr: never } | undefined
    void execution.then(({ observed }) => (output = observed as never))
    const hooks = {
      cancel: () => {},
      done,
      get output() {
        return output
      }
    }
    return context.jobs.start({ kind: 'bash', label: 'x', owner: 's1', outputLimitBytes, run: () => hooks }).id
  }

  const output = async (job_id: string, more: object = {}, call = first) => {
    const tool = jobOutputTool({ jobs: context.jobs })
    const given = await tool.execute({ job_id, ...more }, call)
    expect(tool.outputSchema.parse(given)).toEqual(given)
    return tool.render(given)
  }

  const list = async (call = first) => {
    const tool = jobListTool({ jobs: context.jobs })
    const given = await tool.execute({}, call)
    expect(tool.outputSchema.parse(given)).toEqual(given)
    return tool.render(given)
  }

  const kill = async (job_id: string, more: object = {}, call = first) => {
    const tool = jobKillTool({ jobs: context.jobs })
    const given = await tool.execute({ job_id, ...more }, call)
    expect(tool.outputSchema.parse(given)).toEqual(given)
    return tool.render(given)
  }

  test('tell each time what is new, and the status last', async () => {
    const id = await start('echo out; echo err >&2; exec sleep 60')
    await until(() => context.jobs.read(id, { owner: 's1' }).stderr !== '')
    expect(await output(id)).toBe('out\n[stderr]\nerr\n[status: running]')
    expect(await output(id)).toBe('(no new output)\n[status: running]')
    expect(await kill(id)).toBe(`Job ${id} has been asked to end.\n[status: stopping]`)
    expect(await output(id, { wait: true })).toBe('(no new output)\n[status: killed, signal: SIGTERM]')
    expect(await kill(id)).toBe(`Job ${id} had already ended.\n[status: killed, signal: SIGTERM]`)
  })

  test('wait for the end of a job, and no longer than they are told', async () => {
    const id = await start(`${untilGo}; echo done; exit 2`)
    expect(await output(id, { wait: true, timeout_ms: 20 })).toBe('(no new output)\n[status: running]')
    go()
    expect(await output(id, { wait: true })).toBe('done\n[status: completed, exit code: 2]')
    expect(await output(id, { wait: true })).toBe('(no new output)\n[status: completed, exit code: 2]')
  })

  test('stop waiting with their call, and the job goes on', async () => {
    const marker = sleepMarker()
    const id = await start(`exec sleep ${marker}`)
    await until(() => running(marker).length === 1)
    const controller = new AbortController()
    const waiting = output(id, { wait: true }, { ...first, signal: controller.signal }).catch(failure)
    controller.abort()
    expect(await waiting).toMatchObject({ name: 'AbortError', code: 'ABORTED', message: 'tool call aborted' })
    for (const tool of jobTools({ jobs: context.jobs })) {
      const early = tool.execute({ job_id: id }, { ...first, signal: AbortSignal.abort() })
      await expect(early).rejects.toMatchObject({ code: 'ABORTED' })
    }
    expect([await list(), running(marker).length]).toEqual([`${id}: test [status: running]`, 1])
  })

  test('have a cursor for each session, and one with the call that started the job', async () => {
    const id = await start(`echo one; ${untilGo}; echo two`, {})
    await until(() => context.jobs.read(id).stdout !== '')
    expect(await output(id, {}, first)).toBe('one\n[status: running]')
    go()
    expect(await output(id, { wait: true }, second)).toBe('one\ntwo\n[status: completed, exit code: 0]')
    expect(await output(id, {}, first)).toBe('two\n[status: completed, exit code: 0]')

    const bash = bashTool({ shell: context.shell, jobs: context.jobs })
    rmSync(join(folder, 'go'))
    const slow = { command: `echo before; ${untilGo}; echo after`, description: 'x', timeoutMs: 1_000 }
    const promoted = await bash.execute(slow, first)
    expect(bash.render(promoted)).toMatch(/^before\n\[still running/)
    go()
    expect(await output(jobIdOf(promoted), { wait: true })).toBe('after\n[status: completed, exit code: 0]')
  })

  test('say what memory has lost, and where it is', async () => {
    const id = await start('head -c 9000 /dev/zero | tr "\\0" x')
    await context.jobs.wait(id, { owner: 's1' })
    const [path = ''] = context.jobs.read(id, { owner: 's1' }).spillPaths
    expect(path).toContain('/')
    expect(await output(id)).toBe(
      `${'x'.repeat(2000)}\n[some output was dropped from memory; full output: ${path}]\n[status: completed, exit code: 0]`
    )
  })

  test('keep every message within its bound, lose nothing, and cut no character', async () => {
    const id = await start(`printf '%.0sä' {1..400}; echo end; printf '%.0sé' {1..100} >&2`, first, 'x', 120)
    await context.jobs.wait(id, { owner: 's1' })
    const messages: string[] = []
    const seen = { stdout: '', stderr: '' }
    const tool = jobOutputTool({ jobs: context.jobs })
    for (let more = true; more && messages.length < 100; ) {
      const read = await tool.execute({ job_id: id }, first)
      more = read.more
      seen.stdout += read.stdout
      seen.stderr += read.stderr
      messages.push(tool.render(read))
    }
    expect(seen).toEqual({ stdout: `${'ä'.repeat(400)}end\n`, stderr: 'é'.repeat(100) })
    expect(messages.filter((message) => Buffer.byteLength(message) > 120)).toEqual([])
    expect(messages.filter((message) => !message.endsWith('\n[status: completed, exit code: 0]'))).toEqual([])
    expect(
      messages.slice(0, -1).filter((message) => !message.includes('\n[there is more output: read again]\n'))
    ).toEqual([])
    expect(messages.join('')).not.toContain('\ufffd')
  })

  test('cut even the status where the bound has no room for it', async () => {
    const id = await start('echo hello', first, 'x', 12)
    await context.jobs.wait(id, { owner: 's1' })
    expect(Buffer.byteLength(await output(id))).toBeLessThanOrEqual(12)
  })

  test('list the jobs that the session may see, on one line each', async () => {
    expect(await list()).toBe('(no background jobs)')
    const mine = await start('exec sleep 60', first, 'first\nof all')
    const ended = await start('exit 1')
    await start('exec sleep 60', second)
    await context.jobs.wait(ended, { owner: 's1' })
    expect(await list()).toBe(
      `${mine}: first of all [status: running]\n${ended}: test [status: completed, exit code: 1]`
    )
  })

  test('leave out of a long list what has ended first, and say so', async () => {
    const long = 'x'.repeat(8_000)
    const ids: string[] = []
    for (let n = 0; n < 6; n++) ids.push(await start(n === 0 ? 'exec sleep 60' : 'true', first, `${n} ${long}`))
    for (const id of ids.slice(1)) await context.jobs.wait(id, { owner: 's1' })
    const lines = (await list()).split('\n').map((line) => line.split(' ').slice(0, 2).join(' '))
    expect(lines).toEqual(['(3 more', ...[0, 4, 5].map((n) => `${ids[n]}: ${n}`)])
  })

  test('tell a job the reason of its end', async () => {
    const reasons: string[] = []
    let end: () => void = () => {}
    const done = new Promise<{ state: 'killed' }>((resolve) => (end = () => resolve({ state: 'killed' })))
    const cancel = (reason: string) => {
      reasons.push(reason)
      end()
    }
    const job = () => context.jobs.start({ kind: 'x', label: 'x', owner: 's1', run: () => ({ cancel, done }) })
    await kill(job().id, { reason: 'not needed' })
    await kill(job().id)
    expect(reasons).toEqual(['not needed', 'job_kill'])
  })

  test('tell how a job has failed on one line', async () => {
    const done = Promise.resolve({ state: 'failed', detail: 'no backend:\n  bwrap is missing' } as const)
    const { id } = context.jobs.start({ kind: 'x', label: 'x', owner: 's1', run: () => ({ cancel: () => {}, done }) })
    const status = '[status: failed, no backend: bwrap is missing]'
    expect([await output(id, { wait: true }), await list()]).toEqual([
      `(no new output)\n${status}`,
      `${id}: x ${status}`
    ])
  })

  test('refuse a job of somebody else, and one that is not known', async () => {
    const id = await start('exec sleep 60')
    const foreign = { code: 'JOB_FOREIGN', message: `job ${id} belongs to another session` }
    expect(await output(id, {}, second).catch(failure)).toMatchObject(foreign)
    expect(await kill(id, {}, second).catch(failure)).toMatchObject(foreign)
    expect(await output('bash-99').catch(failure)).toMatchObject({ code: 'JOB_UNKNOWN' })
    expect(context.jobs.get(id, { owner: 's1' }).state).toBe('running')
  })
})

describe('what is sent to the job tools', () => {
  it.each([
    [jobOutputTool, {}, 'job_output: job_id must be the id of a job; got undefined'],
    [jobOutputTool, { job_id: ' ' }, "job_output: job_id must be the id of a job; got ' '"],
    [jobOutputTool, { job_id: 'a', wait: 'x' }, "job_output: wait must be true or false; got 'x'"],
    [jobOutputTool, { job_id: 'a', timeout_ms: 0 }, 'job_output: timeout_ms must be a positive finite number; got 0'],
    [jobKillTool, { job_id: 5 }, 'job_kill: job_id must be the id of a job; got 5'],
    [jobKillTool, { job_id: 'a', reason: 5 }, 'job_kill: reason must be a string; got 5'],
    [jobListTool, 'all', "job_list: input must be an object; got 'all'"]
  ])('is checked (%#)', async (make, input, message) => {
    const { jobs } = await createContext()
    expect(await make({ jobs }).execute(input).catch(failure)).toMatchObject({ code: 'EINVAL', message })
  })

  it.each([
    [undefined, 'options must be an object; got undefined'],
    [{}, 'jobs must be a JobRegistry; got undefined'],
    [{ jobs: {} }, 'jobs must be a JobRegistry; got {}']
  ])('needs a registry (%#)', (options, message) => {
    expect(() => jobTools(options as JobToolOptions)).toThrow(expect.objectContaining({ code: 'EINVAL', message }))
  })
})

describe('the tools of a context', () => {
  it('are all that it has the parts for, each with schemas in plain JSON Schema', async () => {
    const context = await createContext({ sandbox: {} })
    const tools = contextTools(context)
    expect(tools.map(({ name }) => name)).toEqual(['bash', 'job_output', 'job_list', 'job_kill'])
    expect(tools.map((tool) => Object.keys(jsonSchemaOf(tool).properties as object))).toEqual([
      [
        ...['command', 'description', 'timeoutMs', 'workdir', 'run_in_background'],
        ...['sandbox_permissions', 'justification']
      ],
      ['job_id', 'wait', 'timeout_ms'],
      [],
      ['job_id', 'reason']
    ])
    const { shell, sandboxPolicy } = context
    expect(contextTools({ shell, sandboxPolicy }).map(({ name }) => name)).toEqual(['bash'])
    const [bash] = contextTools(context, { background: false })
    expect(Object.keys(jsonSchemaOf(bash as never).properties as object)).not.toContain('run_in_background')
  })

  it('refuse what is no context, and options that are none', async () => {
    const context = await createContext()
    expect(() => contextTools(undefined as never)).toThrow('context must be an object; got undefined')
    expect(() => contextTools(context, 5 as never)).toThrow('options must be an object; got 5')
    expect(() => contextTools(context, { shel: 1 } as never)).toThrow('shel is an unknown option; got 1')
  })
})
