// The executor of npm, unchanged, on this library.

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import LocalBashExecutor from '@deepseek-ai/dsh-bash-local'
import { describe, expect, it } from 'vitest'
import { isAlive, survivorsOf } from '../fixtures/shell/live-processes.js'
import { mountShell, mountSubprocess, until } from './mounted.js'

const untruncated = (text: string) => ({ text, truncated: false })
const ended = { exitCode: 0, signal: null, timedOut: false, aborted: false, timeoutMs: 120_000 }

/** A mark in the environment of everything that a command starts. */
const mark = (): string => `quiesce-dsh-${randomUUID()}`

describe('the executor in the foreground', () => {
  it('gives exit status and both streams', async () => {
    const { shell } = (await mountShell()).ctx
    const spec = shell.resolve({ command: 'pwd; cat; echo oops >&2; exit 3', workdir: '/', stdin: 'typed' })
    expect(await shell.run(spec)).toEqual({
      ...ended,
      exitCode: 3,
      stdout: untruncated('/\ntyped'),
      stderr: untruncated('oops\n')
    })
  })

  it('gives a command the environment that the seam promises', async () => {
    const { shell } = (await mountShell()).ctx
    process.env.DSH_STALE = process.env.SOME_TOKEN = 'ambient'
    try {
      const command = 'echo "$DSH_STALE|$SOME_TOKEN|$DSH_FRESH|$MY_TOKEN|$TERM|$PAGER"'
      const spec = shell.resolve({ command, env: { MY_TOKEN: 'given' }, dshEnv: { DSH_FRESH: 'now' } })
      expect((await shell.run(spec)).stdout.text).toBe('||now|given|dumb|cat\n')
    } finally {
      delete process.env.DSH_STALE
      delete process.env.SOME_TOKEN
    }
  })

  it('ends a command at its deadline, with KILL for what ignores TERM', async () => {
    const { shell } = (await mountShell({ graceMs: 100 })).ctx
    const value = mark()
    const command = 'trap "" TERM; echo begun; sleep 60 & while :; do sleep 1; done'
    const result = await shell.run(shell.resolve({ command, timeoutMs: 1500, env: { MARK: value } }))
    expect(result).toEqual({
      ...ended,
      exitCode: null,
      signal: 'SIGKILL',
      timedOut: true,
      timeoutMs: 1500,
      stdout: untruncated('begun\n'),
      stderr: untruncated('')
    })
    await until(() => survivorsOf(`MARK=${value}`).length === 0)
  })

  it('ends a command whose caller aborts, and says so', async () => {
    const { shell } = (await mountShell()).ctx
    const controller = new AbortController()
    const running = shell.run(shell.resolve({ command: 'sleep 60', signal: controller.signal }))
    controller.abort()
    expect(await running).toMatchObject({ exitCode: null, signal: 'SIGTERM', aborted: true, timedOut: false })
    const late = shell.run(shell.resolve({ command: 'true', signal: controller.signal }))
    await expect(late).rejects.toThrow(/aborted before spawn/)
  })

  it('keeps the tail in memory and the whole stream in a file', async () => {
    const { shell } = (await mountShell({ maxOutputBytes: 1000 })).ctx
    const { stdout, stderr } = await shell.run(shell.resolve({ command: 'seq 100000' }))
    const whole = Array.from({ length: 100_000 }, (_, index) => `${index + 1}\n`).join('')
    expect(stdout).toMatchObject({ text: whole.slice(-1000), truncated: true })
    expect(readFileSync(stdout.spillPath ?? '', 'utf8')).toBe(whole)
    expect(stderr).toEqual(untruncated(''))
  })

  it('keeps only the tail of what outgrows the file', async () => {
    const { shell } = (await mountShell({ maxOutputBytes: 1000, maxSpillBytes: 5000 })).ctx
    const { stdout } = await shell.run(shell.resolve({ command: 'seq 100000' }))
    expect({ keys: Object.keys(stdout), end: stdout.text.slice(-7) }).toEqual({
      keys: ['text', 'truncated'],
      end: '100000\n'
    })
  })

  it('cuts no character in half, where the stream was cut', async () => {
    const { shell } = (await mountShell({ maxOutputBytes: 100 })).ctx
    const { stdout } = await shell.run(shell.resolve({ command: 'for i in {1..99}; do printf €; done' }))
    expect(stdout.text).toBe('€'.repeat(33))
  })

  it('does not wait for a server that a command leaves behind, nor ends it', async () => {
    const { ctx, dispose } = await mountShell({ graceMs: 10_000 })
    const startedAt = performance.now()
    const { stdout } = await ctx.shell.run(ctx.shell.resolve({ command: 'sleep 60 & echo $!' }))
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    expect(isAlive(Number(stdout.text))).toBe(true)
    await dispose()
    expect(isAlive(Number(stdout.text))).toBe(false)
  })

  it('rejects for a folder that cannot be entered', async () => {
    const { shell } = (await mountShell()).ctx
    const running = shell.run(shell.resolve({ command: 'true', workdir: '/nonexistent' }))
    await expect(running).rejects.toMatchObject({ code: 'ENOENT', stage: 'chdir', path: '/nonexistent' })
  })

  it('runs many at once without mixing them up', async () => {
    const { shell } = (await mountShell()).ctx
    const numbers = Array.from({ length: 64 }, (_, index) => index)
    const results = await Promise.all(
      numbers.map((number) => shell.run(shell.resolve({ command: `echo ${number}; exit ${number}` })))
    )
    expect(results.map(({ exitCode, stdout }) => [exitCode, stdout.text])).toEqual(
      numbers.map((number) => [number, `${number}\n`])
    )
  })
})

describe('the executor in the background', () => {
  it('lets a process be read while it runs and after its end, each byte once', async () => {
    const { shell } = (await mountShell()).ctx
    const go = join(tmpdir(), mark())
    const command = `printf one; until [ -e ${go} ]; do sleep 0.01; done; echo two; echo oops >&2`
    const running = shell.start(shell.resolve({ command }))
    let before = ''
    await until(() => {
      before += running.readOutput().delta
      return before !== ''
    })
    expect([before, running.status]).toEqual(['one', 'running'])
    writeFileSync(go, '')
    await running.done
    rmSync(go)
    expect([running.status, running.exitCode]).toEqual(['completed', 0])
    expect(running.readOutput()).toEqual({ delta: 'two\n[stderr]\noops\n', lossy: false })
    expect(running.readOutput()).toEqual({ delta: '', lossy: false })
  })

  it('ends the whole range when it is killed', async () => {
    const { shell } = (await mountShell()).ctx
    const running = shell.start(shell.resolve({ command: 'sleep 60 & echo $!; wait' }))
    let output = ''
    await until(() => {
      output += running.readOutput().delta
      return output.includes('\n')
    })
    expect(running.kill()).toBe(true)
    await running.done
    expect([running.status, running.signal, running.exitCode]).toEqual(['killed', 'SIGTERM', null])
    await until(() => !isAlive(Number(output)))
  })

  it('tells a start that failed in its output', async () => {
    const { shell } = (await mountShell()).ctx
    const running = shell.start(shell.resolve({ command: 'true', workdir: '/nonexistent' }))
    await running.done
    expect([running.status, running.readOutput().delta]).toEqual([
      'killed',
      expect.stringMatching(/^\[stderr\]\nspawn failed: .*ENOENT/)
    ])
  })

  it('outlives its executor, and not the subprocess service', async () => {
    const { ctx, dispose } = await mountSubprocess()
    const executor = await ctx.plugin(LocalBashExecutor, {})
    const value = mark()
    const command = 'trap "" TERM; sleep 60 & wait'
    const running = ctx.shell.start(ctx.shell.resolve({ command, env: { MARK: value }, workdir: tmpdir() }))
    await until(() => survivorsOf(`MARK=${value}`).length === 2)
    await executor.dispose()
    // One that is just becoming `sleep` shows no environment for a moment.
    await until(() => survivorsOf(`MARK=${value}`).length === 2)
    expect(running.status).toBe('running')
    await dispose()
    expect([running.status, survivorsOf(`MARK=${value}`)]).toEqual(['killed', []])
  })
})

it('removes its spill files at the end', async () => {
  const { ctx, dispose } = await mountShell({ maxOutputBytes: 10 })
  const { stdout } = await ctx.shell.run(ctx.shell.resolve({ command: 'seq 1000' }))
  expect(existsSync(stdout.spillPath ?? '')).toBe(true)
  await dispose()
  expect(existsSync(stdout.spillPath ?? '')).toBe(false)
})
