// The example of an MCP server, with the client of the SDK. Bundled beside the sources, since as a program of its own it
// would otherwise be the built package that it imports.

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { build, stop } from 'esbuild'
import { afterAll, beforeAll, expect } from 'vitest'
import { needing } from '../fixtures/sandbox/real-backends.js'
import { isAlive } from '../fixtures/shell/live-processes.js'
import { root } from '../setup/source-imports.js'

let folder = ''

beforeAll(async () => {
  folder = mkdtempSync(join(root, 'build-example-'))
  await build({
    entryPoints: [join(root, 'examples/mcp-server.mjs')],
    outfile: join(folder, 'mcp-server.mjs'),
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    alias: { 'quiesce/tool': join(root, 'src/tool/index.ts'), quiesce: join(root, 'src/index.ts') },
    external: ['@modelcontextprotocol/sdk', 'zod'],
    logLevel: 'silent'
  })
  await stop()
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Its commands are confined. */
const test = needing('native')

test('serves the tools, and ends when its client does', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' })
  const args = [join(folder, 'mcp-server.mjs')]
  const transport = new StdioClientTransport({ command: process.execPath, args, cwd: tmpdir() })
  await client.connect(transport)
  const pid = transport.pid ?? -1
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toEqual(['bash', 'job_output', 'job_list', 'job_kill'])
  const call = (input: object) => client.callTool({ name: 'bash', arguments: { description: 'Count', ...input } })
  expect(await call({ command: 'seq 5 | wc -l' })).toMatchObject({ content: [{ type: 'text', text: '5\n' }] })
  expect(await call({ command: 5 })).toMatchObject({ isError: true })
  await expect(client.callTool({ name: 'shell' })).rejects.toThrow('there is no tool shell')
  await call({ command: 'sleep 60', run_in_background: true })
  await client.close()
  while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 5))
})
