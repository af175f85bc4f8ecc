// A server that is spoken to line by line, as by a client that nobody here has written.

import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { startCli } from '../cli/built-cli.js'

export interface Spoken {
  readonly child: ChildProcess
  /** What it has said on stdout so far. */
  readonly lines: string[]
  /** Its exit status and the signal that ended it. */
  readonly exit: Promise<readonly [number | null, string | null]>
  send(message: object): void
}

export function speak(options: readonly string[]): Spoken {
  const child = startCli(['mcp', ...options])
  const lines: string[] = []
  if (child.stdout) createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  child.stderr?.resume()
  child.stdin?.on('error', () => {})
  const exit = new Promise<readonly [number | null, string | null]>((resolve) =>
    child.on('exit', (status, signal) => resolve([status, signal]))
  )
  const send = (message: object): void => {
    child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  }
  return { child, lines, exit, send }
}

export const hello = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
}

/** A call of the bash tool. */
export function bash(id: number, command: string, more: object = {}): object {
  const input = { command, description: 'A command of a test', ...more }
  return { id, method: 'tools/call', params: { name: 'bash', arguments: input } }
}
