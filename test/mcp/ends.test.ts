// How a server ends, whoever ends it: with everything that ran for its client, and by itself.

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { cli, cliProgram, useBuiltCli } from '../cli/built-cli.js'
import { isAlive, survivorsOf } from '../fixtures/shell/live-processes.js'
import { root } from '../setup/source-imports.js'
import { free, until } from './client.js'
import { bash, hello, type Spoken, speak } from './spoken.js'

useBuiltCli()

/** A server with a command in the foreground and one in the background, neither of which obeys TERM. */
async function busy(mark: string, options: readonly string[] = ['--grace', '200ms', ...free]): Promise<Spoken> {
  const server = speak(options)
  const stubborn = `export ${mark}; bash -c 'trap "" TERM; sleep 60; :'; :`
  server.send(hello)
  server.send({ method: 'notifications/initialized' })
  server.send(bash(2, stubborn))
  server.send(bash(3, stubborn, { run_in_background: true }))
  await until(() => survivorsOf(mark).length === 4)
  return server
}

describe('a server whose client is gone', () => {
  it('ends when its input does, with everything that still runs', async () => {
    const mark = `MARK=${randomUUID()}`
    const { child, exit } = await busy(mark)
    child.stdin?.end()
    expect(await exit).toEqual([0, null])
    expect(survivorsOf(mark)).toEqual([])
  })

  it('ends when nobody reads what it says', async () => {
    const mark = `MARK=${randomUUID()}`
    const { child, exit, send } = await busy(mark)
    child.stdout?.destroy()
    send({ id: 4, method: 'tools/list' })
    expect(await exit).toEqual([0, null])
    expect(survivorsOf(mark)).toEqual([])
  })

  it('ends when its client has gone on holding the pipe without reading it, and then closes its own end', async () => {
    const mark = `MARK=${randomUUID()}`
    const { child, exit, send } = speak(['--max-output', '1000000', ...free])
    // Far more than a pipe holds: the answer cannot leave.
    child.stdout?.pause()
    send(hello)
    send({ method: 'notifications/initialized' })
    send(bash(2, 'seq 100000'))
    send(bash(3, `export ${mark}; bash -c 'sleep 60; :'; :`))
    await until(() => survivorsOf(mark).length === 2)
    child.stdin?.end()
    expect(await exit).toEqual([0, null])
    expect(survivorsOf(mark)).toEqual([])
  })

  it('ends when the process of the client is killed', async () => {
    const mark = `MARK=${randomUUID()}`
    const program = `
      import { Client } from '@modelcontextprotocol/sdk/client/index.js'
      import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
      const client = new Client({ name: 'doomed', version: '1.0.0' })
      const args = ${JSON.stringify([cliProgram(), 'mcp', ...free])}
      const transport = new StdioClientTransport({ command: process.execPath, args })
      await client.connect(transport)
      console.log(transport.pid)
      const command = ${JSON.stringify(`export ${mark}; bash -c 'sleep 60; :'; :`)}
      await client.callTool({ name: 'bash', arguments: { command, description: 'Sleep' } })
    `
    const client = spawn(process.execPath, ['--input-type=module', '-e', program], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'inherit']
    })
    let said = ''
    client.stdout.on('data', (chunk) => {
      said += chunk
    })
    await until(() => said.includes('\n') && survivorsOf(mark).length === 2)
    client.kill('SIGKILL')
    await until(() => !isAlive(Number(said)) && survivorsOf(mark).length === 0)
  })
})

describe('a server that is told to end', () => {
  for (const [signal, status] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
    ['SIGHUP', 129]
  ] as const)
    it(`ends what runs at ${signal}, and exits with ${status}`, async () => {
      const mark = `MARK=${randomUUID()}`
      const { child, exit } = await busy(mark)
      child.kill(signal)
      expect(await exit).toEqual([status, null])
      expect(survivorsOf(mark)).toEqual([])
    })

  it('leaves at once at a second signal, and nothing survives', async () => {
    const mark = `MARK=${randomUUID()}`
    const { child, exit } = await busy(mark, ['--grace', '10m', ...free])
    child.kill('SIGTERM')
    // Two of the same kind at once would be one.
    child.kill('SIGINT')
    expect((await exit)[0]).toBeGreaterThan(128)
    await until(() => survivorsOf(mark).length === 0)
  })
})

describe('what a server says on stdout', () => {
  it('is the protocol and nothing else, whatever a command prints or a client gets wrong', async () => {
    const { child, lines, exit, send } = speak([...free, '--provider', 'node'])
    send(hello)
    send({ method: 'notifications/initialized' })
    send(bash(2, 'echo to stdout; echo to stderr >&2; printf "no newline"'))
    send({ id: 3, method: 'no/such/method' })
    child.stdin?.write('this is no JSON\n')
    await until(() => lines.length === 3)
    child.stdin?.end()
    await exit
    const messages = lines.map((line) => JSON.parse(line) as { jsonrpc: string; id: number; error?: { code: number } })
    expect(messages.map(({ jsonrpc, id, error }) => [jsonrpc, id, error?.code]).sort()).toEqual([
      ['2.0', 1, undefined],
      ['2.0', 2, undefined],
      ['2.0', 3, -32601]
    ])
  })
})

describe('a server that cannot begin', () => {
  for (const [options, problem] of [
    [['--cwd', '/nonexistent'], /^quiesce: .*\/nonexistent/],
    [['--cwd', '/etc/passwd'], /^quiesce: --cwd \/etc\/passwd is no folder\n$/],
    [[...free, '--hide', '/root'], /^quiesce: --hide and --network none need --sandbox/],
    [['--sandbox', 'read-only', '--writable', '/srv'], /^quiesce: --writable needs --sandbox workspace-write\n$/],
    [['--timeout', 'soon'], /'soon' is invalid/],
    [['extra'], /too many arguments/]
  ] as const)
    it(`says why, on stderr: ${options.join(' ')}`, async () => {
      const { status, stdout, stderr } = await cli(['mcp', ...options])
      expect({ status, stdout, stderr }).toEqual({ status: 125, stdout: '', stderr: expect.stringMatching(problem) })
    })
})
