import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { useBuiltCli } from '../cli/built-cli.js'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { connect, free, temporaryFolder, until } from './client.js'

useBuiltCli()

describe('a client of the SDK', () => {
  it('is told the tools, each with the schema of an object and what it does to the world', async () => {
    const { client } = await connect(['--cwd', '/', ...free])
    const { tools } = await client.listTools()
    const facts = tools.map(({ name, inputSchema, annotations }) => [
      name,
      inputSchema.type,
      inputSchema.required,
      annotations?.readOnlyHint
    ])
    expect(facts).toEqual([
      ['bash', 'object', ['command', 'description'], false],
      ['job_output', 'object', ['job_id'], true],
      ['job_list', 'object', undefined, true],
      ['job_kill', 'object', ['job_id'], false]
    ])
    expect(tools.every(({ description = '' }) => description.length > 20)).toBe(true)
    expect(client.getServerVersion()?.name).toBe('quiesce')
    expect(client.getInstructions()).toMatch(/^Commands run by bash in \/, in the sandbox mode danger-full-access\./)
  })

  it('gets what a command printed and how it ended', async () => {
    const { call } = await connect(['--cwd', '/', ...free])
    expect(await call('bash', { command: 'pwd; echo oops >&2; exit 3' })).toEqual({
      text: '/\n[stderr]\noops\n[exit code: 3]',
      isError: false
    })
    expect(await call('bash', { command: 'pwd', workdir: 'usr' })).toEqual({ text: '/usr\n', isError: false })
  })

  it('gets an error as a result where a tool refuses or fails', async () => {
    const { call } = await connect()
    expect(await call('bash', { command: 5 })).toEqual({ text: expect.stringMatching(/command/), isError: true })
    expect(await call('bash', { command: 'true', workdir: '/nonexistent' })).toEqual({
      text: expect.stringMatching(/"\/nonexistent".*ENOENT/),
      isError: true
    })
    expect(await call('job_output', { job_id: 'bash-99' })).toEqual({
      text: expect.stringMatching(/bash-99/),
      isError: true
    })
  })

  it('is refused a tool that does not exist, by a name that does', async () => {
    const { call } = await connect()
    await expect(call('shell', {})).rejects.toMatchObject({
      code: -32602,
      message: expect.stringMatching(/there is no tool "shell"; there are bash, job_output, job_list, job_kill/)
    })
  })

  it('cancels a call in mid-command: everything of it ends, and the next call is served', async () => {
    const { call } = await connect()
    const mark = `MARK=${randomUUID()}`
    const controller = new AbortController()
    const command = `export ${mark}; bash -c 'sleep 60 & setsid sleep 60 & wait'; :`
    const calling = call('bash', { command }, controller.signal)
    await until(() => survivorsOf(mark).length === 3)
    controller.abort('enough')
    await expect(calling).rejects.toThrow(/enough/)
    await until(() => survivorsOf(mark).length === 0)
    expect((await call('job_list', {})).text).not.toContain('running')
    expect((await call('bash', { command: 'echo still here' })).text).toBe('still here\n')
  })

  it('gets the tail of a large output, and the file with all of it', async () => {
    const { call } = await connect(['--max-output', '1000000', ...free])
    const { text } = await call('bash', { command: 'seq 1000000' })
    const [, path = ''] = /\[output truncated; full output: (.+)\]$/.exec(text) ?? []
    const whole = readFileSync(path, 'utf8')
    expect([whole.length, whole.endsWith('\n1000000\n')]).toEqual([6_888_896, true])
    expect(text.length).toBeGreaterThan(900_000)
    expect(text).toContain('\n999999\n1000000\n')
  })

  it('has two calls at work at the same time', async () => {
    const { call } = await connect()
    const folder = temporaryFolder()
    // Each waits for the other.
    const meet = (mine: string, other: string): string =>
      `touch ${folder}/${mine}; until [ -e ${folder}/${other} ]; do sleep 0.01; done; echo ${mine}`
    const both = [call('bash', { command: meet('a', 'b') }), call('bash', { command: meet('b', 'a') })]
    expect((await Promise.all(both)).map(({ text }) => text)).toEqual(['a\n', 'b\n'])
  })

  it('works with a background job: starts it, reads it, ends it', async () => {
    const { call } = await connect()
    const mark = `MARK=${randomUUID()}`
    const command = `export ${mark}; bash -c 'echo begun; sleep 60; :'; :`
    expect((await call('bash', { command, run_in_background: true })).text).toMatch(/bash-1/)
    await until(() => survivorsOf(mark).length === 2)
    expect((await call('job_output', { job_id: 'bash-1' })).text).toMatch(/^begun\n.*running/s)
    expect((await call('job_list', {})).text).toContain('bash-1')
    await call('job_kill', { job_id: 'bash-1' })
    expect((await call('job_output', { job_id: 'bash-1', wait: true })).text).toMatch(/killed/)
    await until(() => survivorsOf(mark).length === 0)
  })

  it('is told while it waits that its call is still at work, if it wants to be', async () => {
    const { client } = await connect()
    const heard: unknown[] = []
    const input = { command: 'sleep 6', description: 'Sleep' }
    await client.callTool({ name: 'bash', arguments: input }, undefined, { onprogress: (each) => heard.push(each) })
    expect(heard).toEqual([{ progress: 5, message: 'running for 5 s' }])
  })
})

describe('the options', () => {
  it('bound a command that names no time of its own', async () => {
    const { call } = await connect(['--timeout', '200ms', ...free])
    // It has not ended by then, and stays the job that it is.
    expect((await call('bash', { command: 'echo begun; sleep 60' })).text).toMatch(/after 200ms/)
  })

  it('cap what a command may ask for', async () => {
    const { call } = await connect(['--max-timeout', '200ms', ...free])
    expect((await call('bash', { command: 'sleep 60', timeoutMs: 60_000 })).text).toMatch(/after 200ms/)
  })

  it('name the working folder', async () => {
    const { call } = await connect(['--cwd', tmpdir(), ...free])
    expect((await call('bash', { command: 'pwd' })).text).toBe(`${tmpdir()}\n`)
  })
})
