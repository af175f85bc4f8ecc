// The client of the official SDK, connected to `quiesce mcp` as a program of its own.

import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { onTestFinished } from 'vitest'
import { cliProgram } from '../cli/built-cli.js'

export interface Connected {
  readonly client: Client
  /** What a call says, and whether it is an error. */
  call(name: string, input: object, signal?: AbortSignal): Promise<Said>
}

export interface Said {
  readonly text: string
  readonly isError: boolean
}

/** No sandbox unless `options` ask for one: most tests are about something else, and it cannot be had everywhere. */
export const free = ['--sandbox', 'danger-full-access'] as const

/** `prepare` adds what must be there before the client introduces itself. */
export async function connect(
  options: readonly string[] = free,
  capabilities: ClientCapabilities = {},
  prepare: (client: Client) => void = () => {}
): Promise<Connected> {
  const client = new Client({ name: 'test', version: '1.0.0' }, { capabilities })
  prepare(client)
  const args = [cliProgram(), 'mcp', ...options]
  const transport = new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' })
  onTestFinished(() => client.close())
  await client.connect(transport)
  const call: Connected['call'] = async (name, input, signal) => {
    const described = name === 'bash' ? { description: 'A command of a test', ...input } : { ...input }
    const result = await client.callTool({ name, arguments: described }, undefined, { ...(signal && { signal }) })
    const content = result.content as readonly { readonly type: string; readonly text: string }[]
    return { text: content.map(({ text }) => text).join(''), isError: result.isError === true }
  }
  return { client, call }
}

/** A folder that goes with the test. */
export function temporaryFolder(parent = tmpdir()): string {
  const folder = realpathSync(mkdtempSync(join(parent, 'quiesce-mcp-')))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
