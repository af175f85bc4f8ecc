// The bash tool of npm, unchanged, through its real tool runtime and job registry, on this library.

import { readFileSync } from 'node:fs'
import type { JobId } from '@deepseek-ai/dsh-jobs'
import { describe, expect, it } from 'vitest'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { type Harness, mountTool, until } from './mounted.js'

let calls = 0

/** What a model gets back: the text, and whether it is an error. */
async function call({ ctx }: Harness, input: object, signal = new AbortController().signal) {
  calls += 1
  const result = await ctx.tools.execute({
    callId: `call-${calls}` as never,
    name: 'bash',
    arguments: { description: 'A command of a test', ...input },
    signal
  })
  const text = result.content.map((block) => (block.type === 'text' ? block.text : '')).join('')
  return { result, text, isError: result.isError }
}

describe('the tool in the foreground', () => {
  it('renders what a command printed and how it ended', async () => {
    const harness = await mountTool()
    const { text, isError } = await call(harness, { command: 'echo out; echo err >&2; exit 3', workdir: '/' })
    expect({ text, isError }).toEqual({ text: 'out\n[stderr]\nerr\n[exit code: 3]', isError: false })
  })

  it('hands the managed environment to the command', async () => {
    const { text } = await call(await mountTool(), { command: 'echo $DSH_SHELL' })
    expect(text).toBe('1\n')
  })

  it('says that a command was ended at its deadline', async () => {
    const { text, isError } = await call(await mountTool(), { command: 'echo begun; sleep 60', timeoutMs: 1500 })
    expect({ text, isError }).toEqual({
      text: 'begun\n[timed out after 1500ms]\n[killed by signal: SIGTERM]',
      isError: false
    })
  })

  it('is aborted with its command', async () => {
    const controller = new AbortController()
    const harness = await mountTool()
    const value = `quiesce-tool-${process.pid}`
    const running = call(harness, { command: `export MARK=${value}; bash -c 'sleep 60'; :` }, controller.signal)
    await until(() => survivorsOf(`MARK=${value}`).length > 0)
    controller.abort()
    const { result, isError } = await running
    expect({ isError, result }).toMatchObject({ isError: true, result: { error: { info: { code: 'ABORTED' } } } })
    await until(() => survivorsOf(`MARK=${value}`).length === 0)
  })

  it('points to the file with the whole of a long output', async () => {
    const { text } = await call(await mountTool({ maxOutputBytes: 500 }), { command: 'seq 5000' })
    const [, path = ''] = /\[output truncated; full output: (.+)\]$/.exec(text) ?? []
    expect(readFileSync(path, 'utf8').split('\n').length).toBe(5001)
  })

  it('turns a start that failed into an error of the call', async () => {
    const { text, isError } = await call(await mountTool(), { command: 'true', workdir: '/nonexistent' })
    expect({ isError, text }).toEqual({ isError: true, text: expect.stringMatching(/"\/nonexistent".*ENOENT/) })
  })
})

describe('the tool in the background', () => {
  it('gives a job that can be read, awaited and forgotten', async () => {
    const harness = await mountTool()
    const { text } = await call(harness, { command: 'echo begun; exit 2', run_in_background: true })
    expect(text).toBe('started background job bash-1')
    const id = 'bash-1' as JobId
    const { status, detail } = await harness.ctx.jobs.wait(id, 10_000)
    expect({ status, detail, text: harness.ctx.jobs.read(id).text }).toEqual({
      status: 'completed',
      detail: 'exit code: 2',
      text: 'begun\n'
    })
  })

  it('ends a job with all that it started', async () => {
    const harness = await mountTool()
    const value = `quiesce-job-${process.pid}`
    const command = `export MARK=${value}; bash -c 'sleep 60 & setsid sleep 60 & wait'; :`
    await call(harness, { command, run_in_background: true })
    await until(() => survivorsOf(`MARK=${value}`).length === 3)
    const { jobs, subprocess } = harness.ctx
    expect(jobs.kill('bash-1' as JobId)).toBe('requested')
    const { status, detail } = await jobs.wait('bash-1' as JobId, 10_000)
    expect({ status, detail }).toEqual({ status: 'killed', detail: 'signal: SIGTERM' })
    // A process group does not hold what has left it.
    if ((subprocess as unknown as { range: { kind: string } }).range.kind === 'group') return
    await until(() => survivorsOf(`MARK=${value}`).length === 0)
  })

  it('leaves nothing when the harness ends', async () => {
    const harness = await mountTool({ graceMs: 200 })
    const value = `quiesce-rest-${process.pid}`
    const command = `export MARK=${value}; bash -c 'trap "" TERM; sleep 60; :'; :`
    await Promise.all([1, 2, 3].map(() => call(harness, { command, run_in_background: true })))
    await until(() => survivorsOf(`MARK=${value}`).length === 6)
    await harness.dispose()
    expect(survivorsOf(`MARK=${value}`)).toEqual([])
  })
})
