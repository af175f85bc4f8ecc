import { existsSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { Context } from '@deepseek-ai/cordis'
import { describe, expect, it } from 'vitest'
import QuiesceSubprocess, { QuiesceSubprocess as named, type QuiesceHandle } from '../../src/dsh/index.js'
import { isAlive } from '../fixtures/shell/live-processes.js'
import { mountSubprocess } from './mounted.js'

const collect = { maxBytes: 1000 }
const collected = { stdin: 'ignore', stdout: collect, stderr: collect } as const
const spec = (script: string) => ({ argv: ['sh', '-c', script], cwd: tmpdir(), graceMs: 300, stdio: collected })

describe('the plugin', () => {
  it('is the default export and has a name', () => {
    expect(QuiesceSubprocess).toBe(named)
    expect(QuiesceSubprocess.name).toBe('QuiesceSubprocess')
  })

  it('is ctx.subprocess, and a second provider beside it is refused', async () => {
    const { ctx } = await mountSubprocess()
    expect(ctx.subprocess).toBeInstanceOf(QuiesceSubprocess)
    expect((ctx.subprocess as QuiesceSubprocess).range.kind).toMatch(/^(cgroup|scope|supervisor|group)$/)
    await expect(ctx.plugin(QuiesceSubprocess)).rejects.toThrow(/"?subprocess"? has been registered/)
  })

  it('gives way to another one when it is disposed of', async () => {
    const ctx = new Context()
    const first = await ctx.plugin(QuiesceSubprocess)
    await first.dispose()
    expect(ctx.get('subprocess')).toBeUndefined()
    const second = await ctx.plugin(QuiesceSubprocess)
    expect(await ctx.subprocess.spawn(spec('exit 3')).done).toEqual({ exitCode: 3, signal: null })
    await second.dispose()
  })

  for (const [options, problem] of [
    [{ provider: 'docker' }, /provider must be 'auto', 'native' or 'node'; got 'docker'/],
    [{ ranges: ['jail'] }, /ranges must be .*; got \[ 'jail' \]/],
    [{ spillDir: '' }, /spillDir must be a non-empty string; got ''/],
    [{ graceMs: 5 }, /graceMs is an unknown option; got 5/],
    [7, /options must be an object; got 7/]
  ] as const)
    it(`refuses ${JSON.stringify(options)} by the name of the option`, async () => {
      await expect(new Context().plugin(QuiesceSubprocess, options as never)).rejects.toThrow(problem)
    })

  it('refuses new options for a running plugin and leaves it running', async () => {
    const ctx = new Context()
    const fiber = await ctx.plugin(QuiesceSubprocess)
    expect(() => fiber.update({ provider: 'docker' })).toThrow(/provider must be/)
    expect(await ctx.subprocess.spawn(spec('true')).done).toEqual({ exitCode: 0, signal: null })
    await fiber.dispose()
  })

  it('takes the provider and the range that it is told to', async () => {
    const { ctx } = await mountSubprocess({ provider: 'node', ranges: ['group'] })
    const handle = ctx.subprocess.spawn(spec('exit 4')) as QuiesceHandle
    expect(await handle.done).toEqual({ exitCode: 4, signal: null })
    expect(handle.facts).toMatchObject({ range: 'group', cause: null, usage: { userMs: null } })
  })

  it('hands warnings to whoever wants them', async () => {
    const warnings: string[] = []
    const onWarning = ({ code }: { code: string }): void => void warnings.push(code)
    await mountSubprocess({ provider: 'native', ranges: ['group'], onWarning })
    // A range that was asked for is no surprise.
    expect(warnings).toEqual([])
  })
})

describe('its handles', () => {
  it('have the streams that were asked for, and undefined in the place of others', async () => {
    const { ctx } = await mountSubprocess()
    const stdio = { stdin: 'pipe', stdout: 'pipe', stderr: collect } as const
    const handle = ctx.subprocess.spawn({ ...spec('cat; echo oops >&2'), stdio })
    handle.stdin?.end('hello')
    expect(await text(handle.stdout as Readable)).toBe('hello')
    expect(await handle.done).toEqual({ exitCode: 0, signal: null })
    expect(handle.stderr).toBeUndefined()
    expect(handle.collected.stdout).toBeUndefined()
    expect(handle.collected.stderr?.readFrom(0)).toEqual({ text: 'oops\n', nextOffset: 5, lossy: false })
    expect(ctx.subprocess.spawn(spec('true'))).toMatchObject({ stdin: undefined, stdout: undefined })
  })

  it('tell a failed start as the seam does', async () => {
    const { ctx } = await mountSubprocess()
    const handle = ctx.subprocess.spawn({ ...spec(''), argv: ['/nonexistent/program'] })
    await expect(handle.done).rejects.toMatchObject({ code: 'ENOENT', syscall: 'spawn /nonexistent/program' })
    expect(handle.pid).toBe(-1)
    expect(await handle.waitForExit()).toBe(true)
    expect(handle.collected.stdout?.readFrom(0).text).toBe('')
  })

  it('refuse a spec before anything runs, in the words of the seam', async () => {
    const { ctx } = await mountSubprocess()
    expect(() => ctx.subprocess.spawn({ ...spec('true'), graceMs: 0 })).toThrow(
      'subprocess graceMs must be a positive finite number no greater than 2147483647'
    )
    expect(() => ctx.subprocess.spawn({ ...spec('true'), signal: AbortSignal.abort('why') })).toThrow(
      'aborted before spawn: why'
    )
    expect(() => ctx.subprocess.spawn({ ...spec('true'), argv: [] })).toThrow(
      'invalid argv: expected a non-empty program name at argv[0]'
    )
  })

  it('refuse what they do not know, where running without it would be something else', async () => {
    const { ctx } = await mountSubprocess()
    const unknown = { ...spec('true'), uid: 1000 } as Parameters<typeof ctx.subprocess.spawn>[0]
    expect(() => ctx.subprocess.spawn(unknown)).toThrow('uid is an unknown option; got 1000')
  })

  it('still obey the signal when the command has ended and something that it left behind has not', async () => {
    const { ctx } = await mountSubprocess()
    const controller = new AbortController()
    const handle = ctx.subprocess.spawn({ ...spec('sleep 60 & echo $!'), signal: controller.signal })
    expect(await handle.done).toEqual({ exitCode: 0, signal: null })
    const leftover = Number(handle.collected.stdout?.readFrom(0).text)
    expect(isAlive(leftover)).toBe(true)
    controller.abort()
    expect(await handle.waitForExit()).toBe(true)
    expect(isAlive(leftover)).toBe(false)
  })

  it('end the whole range, with what has left the process group', async () => {
    const { ctx } = await mountSubprocess()
    const handle = ctx.subprocess.spawn(spec('setsid sleep 60 & echo $!; wait')) as QuiesceHandle
    const reader = handle.collected.stdout
    while (reader?.readFrom(0).text === '') await new Promise((resolve) => setTimeout(resolve, 5))
    const escaped = Number(reader?.readFrom(0).text)
    expect(await handle.waitForExit(AbortSignal.timeout(20))).toBe(false)
    handle.terminate()
    expect(await handle.done).toEqual({ exitCode: null, signal: 'SIGTERM' })
    if (handle.facts.range === 'group') return
    expect(await handle.waitForExit()).toBe(true)
    expect({ alive: isAlive(escaped), facts: handle.facts }).toMatchObject({
      alive: false,
      facts: { cause: 'terminate', quiescent: true }
    })
  })
})

describe('what else it offers', () => {
  it('finds executables with the scrubbed PATH and explicit entries', async () => {
    const { ctx } = await mountSubprocess()
    expect(await ctx.subprocess.resolveExecutable('sh', { PATH: '/nowhere:/bin' })).toMatch(/\/sh$/)
    await expect(ctx.subprocess.resolveExecutable('./sh')).rejects.toThrow(/is a relative path/)
  })

  it('keeps a claimed spill file beyond its own end, and no other', async () => {
    const { ctx, dispose } = await mountSubprocess()
    const stdout = { maxBytes: 10, spill: { maxBytes: 10_000 } }
    const handle = ctx.subprocess.spawn({ ...spec('seq 1000'), stdio: { ...collected, stdout } })
    const other = ctx.subprocess.spawn({ ...spec('seq 2000'), stdio: { ...collected, stdout } })
    await Promise.all([handle.done, other.done])
    const [kept, gone] = [handle, other].map((each) => each.collected.stdout?.readFrom(0).spillPath ?? '')
    expect((ctx.subprocess as QuiesceSubprocess).claimSpill(kept ?? '')).toBe(true)
    await dispose()
    expect([existsSync(kept ?? ''), existsSync(gone ?? '')]).toEqual([true, false])
    expect(readFileSync(kept ?? '', 'utf8').split('\n').length).toBe(1001)
    rmSync(dirname(kept ?? ''), { recursive: true })
  })
})
