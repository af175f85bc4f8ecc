import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import { PersistentBash } from '../../src/terminal/persistent-bash.js'
import {
  callTool,
  jsonSchemaOf,
  persistentBashTool,
  type Tool,
  type ToolCall,
  terminalListTool,
  terminalReadTool,
  terminalTools
} from '../../src/tool/index.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'

const first: ToolCall = { session: { id: 's1' } }
const second: ToolCall = { session: { id: 's2' } }

describe.each(['native', 'node'] as const)('tools on terminals, by the %s provider', (provider) => {
  let context: Context
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-tool-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  beforeEach(async () => {
    context = await createContext({ cwd: folder, subprocess: { provider }, onWarning: () => {} })
  })
  afterEach(() => context.dispose())

  const tool = (name: string): Tool => {
    const found = (terminalTools({ terminals: context.terminals }) as readonly Tool[]).find((one) => one.name === name)
    if (found === undefined) throw new Error(`no tool ${name}`)
    return found
  }
  const call = async (name: string, input: object, by: ToolCall = first) => {
    const { text, isError, output } = await callTool(tool(name), input, by)
    // What a tool gives is what its schema says.
    if (!isError) expect(tool(name).outputSchema.parse(output)).toEqual(output)
    return isError ? `error: ${text}` : text
  }

  describe('the six terminal tools', () => {
    it('have names, descriptions and schemas that are plain JSON Schema', () => {
      const tools = terminalTools({ terminals: context.terminals }) as readonly Tool[]
      expect(tools.map(({ name }) => name)).toEqual([
        'terminal_open',
        'terminal_send',
        'terminal_read',
        'terminal_signal',
        'terminal_close',
        'terminal_list'
      ])
      expect(tools.map((one) => [jsonSchemaOf(one).type, jsonSchemaOf(one, 'output').type])).toEqual(
        tools.map(() => ['object', 'object'])
      )
    })

    it('open, type, read, signal, list and close', async () => {
      expect(await call('terminal_open', { name: 'work' })).toBe(`[terminal pty-1 opened in ${folder}]`)
      expect(await call('terminal_send', { terminal_id: 'pty-1', text: 'echo $((40 + 2))' })).toMatch(/\n42\ndsh> $/)
      expect(await call('terminal_send', { terminal_id: 'pty-1', text: "echo 'a" })).toMatch(
        /\n> \n\[the command is unfinished: the shell waits for the rest of it\]$/
      )
      expect(await call('terminal_send', { terminal_id: 'pty-1', text: "b'" })).toMatch(/a\nb\ndsh> $/)
      const marker = sleepMarker()
      expect(await call('terminal_send', { terminal_id: 'pty-1', text: `sleep ${marker}`, timeoutMs: 500 })).toContain(
        '[the wait is over; what runs in the terminal goes on]'
      )
      await until(() => running(marker).length === 1)
      const [pid] = running(marker)
      expect(await call('terminal_signal', { terminal_id: 'pty-1', signal: 'SIGINT' })).toBe(
        `[SIGINT sent to process group ${pid} in terminal pty-1]`
      )
      await until(() => running(marker).length === 0)
      expect(await call('terminal_list', {})).toBe(`pty-1: work in ${folder} [open]`)
      expect(await call('terminal_list', {}, second)).toBe('(no open terminals)')
      expect(await call('terminal_read', { terminal_id: 'pty-1' }, second)).toBe(
        'error: terminal pty-1 belongs to another session'
      )
      expect(await call('terminal_send', { terminal_id: 'pty-1', text: 'exit 3' })).toContain('[shell exited: code 3]')
      expect(await call('terminal_list', {})).toBe(`pty-1: work in ${folder} [shell exited: code 3]`)
      expect(await call('terminal_close', { terminal_id: 'pty-1' })).toBe('[terminal pty-1 closed]')
      expect(await call('terminal_close', { terminal_id: 'pty-2' })).toBe('error: no terminal pty-2')
    })

    it('bound a whole answer, and keep its end', async () => {
      await call('terminal_open', {})
      await call('terminal_send', { terminal_id: 'pty-1', text: 'seq 1 5000' })
      const small = terminalReadTool({ terminals: context.terminals, maxResultBytes: 64 })
      const text = small.render(await small.execute({ terminal_id: 'pty-1' }, first))
      expect([Buffer.byteLength(text) <= 64, text.endsWith('4999\n5000\ndsh> ')]).toEqual([true, true])
      expect(() => terminalListTool({ terminals: context.terminals, maxResultBytes: 63 })).toThrow(
        'maxResultBytes must be an integer from 64 to 262144; got 63'
      )
    })

    it('name what is wrong with an input', async () => {
      expect(await call('terminal_send', { terminal_id: '', text: 'x' })).toBe(
        "error: terminal_send: terminal_id must be the id of a terminal; got ''"
      )
      expect(await call('terminal_signal', { terminal_id: 'pty-1', signal: 'SIGUSR1' })).toContain(
        'signal must be SIGINT'
      )
      expect(await call('terminal_read', { terminal_id: 'pty-1', lines: 0 })).toContain(
        'lines must be a positive integer'
      )
    })
  })

  describe('the persistent bash tool', () => {
    const bashCall = async (command: string, more: object = {}, by: ToolCall = first) => {
      const bash = persistentBashTool({ bash: shells })
      const output = await bash.execute({ command, ...more }, by)
      expect(bash.outputSchema.parse(output)).toEqual(output)
      return bash.render(output)
    }
    let shells: PersistentBash
    beforeEach(() => {
      shells = new PersistentBash(context.terminals)
    })

    it('keeps state for each session and says how a command ended', async () => {
      expect(await bashCall('cd /usr; x=1')).toBe('(no output)')
      expect(await bashCall('pwd; echo $x; false')).toBe('/usr\n1\n[exit code: 1]')
      expect(await bashCall('pwd; echo "<$x>"', {}, second)).toBe(`${folder}\n<>\n`)
      expect(context.terminals.list('s1')).toEqual([])
    })

    it('says when the shell is gone, timed out or was given no input', async () => {
      const fresh =
        '[the shell has been reset: the next call starts a fresh one, without its variables and working folder]'
      expect(await bashCall('echo bye; exit 3')).toBe(`bye\nexit\n[shell exited: code 3]\n${fresh}`)
      expect(await bashCall('kill -KILL $$')).toBe(`(no output)\n[shell killed by signal: SIGKILL]\n${fresh}`)
      expect(await bashCall('echo on; sleep 100', { timeoutMs: 1200 })).toBe(`on\n[timed out after 1200ms]\n${fresh}`)
      expect(await bashCall('read -r x </dev/tty')).toBe(
        '(no output)\n[the command waited for input from the terminal and was interrupted]'
      )
    })

    it('rejects as aborted when the call is, and ends what it has started', async () => {
      const marker = sleepMarker()
      const stop = new AbortController()
      const pending = bashCall(`sleep ${marker}`, {}, { ...first, signal: stop.signal })
      await until(() => running(marker).length === 1)
      stop.abort()
      await expect(pending).rejects.toMatchObject({ code: 'ABORTED' })
      expect(running(marker)).toEqual([])
    })
  })

  it('ends terminals and persistent shells with the context', async () => {
    const marker = sleepMarker()
    const { id } = await context.terminals.open()
    await context.terminals.send({ id, text: `sleep ${marker} &` })
    await new PersistentBash(context.terminals).run({ command: `sleep ${marker} &` })
    await until(() => running(marker).length === 2)
    await context.dispose()
    expect(running(marker)).toEqual([])
    await expect(context.terminals.open()).rejects.toMatchObject({ code: 'SERVICE_DISPOSING' })
  })
})
