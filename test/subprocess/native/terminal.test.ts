// What terminals of the native core know and refuse beyond what every provider does.

import { afterAll, beforeAll, expect } from 'vitest'
import { loadAddon } from '../../../src/native/load.js'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import type { SubprocessTerminalHandle } from '../../../src/subprocess/terminal-types.js'
import { canFreeze, Freezer } from '../../fixtures/shell/v1-freezer.js'
import { feature } from '../../setup/features.js'
import { success, until } from '../behaviour/observe.js'

const test = feature('the native addon', () => loadAddon() && true)
let runtime: NativeSubprocessRuntime

beforeAll(() => {
  runtime = new NativeSubprocessRuntime()
})

afterAll(() => runtime?.dispose())

const start = (...argv: string[]): Promise<SubprocessTerminalHandle> =>
  runtime.spawnTerminal({ argv, cwd: '/', rows: 24, cols: 80, graceMs: 2_000 })
const shell = (script: string): Promise<SubprocessTerminalHandle> => start('bash', '-c', script)

async function textOf(handle: SubprocessTerminalHandle): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of handle.output) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks).toString()
}

test('a line that the terminal would cut off is refused, and nothing of it is typed', async () => {
  const handle = await shell('stty -echo; read -r line; echo ${#line}')
  await expect(handle.write(`${'x'.repeat(4096)}\n`)).rejects.toMatchObject({
    code: 'EMSGSIZE',
    message: expect.stringContaining('terminal input of 4097 bytes has a line of more than 4095 bytes')
  })
  await handle.write(`${'y'.repeat(4095)}\n`)
  expect(await textOf(handle)).toContain('4095\r\n')
})

test('input that nobody reads is kept up to 16 MiB, and the rest is refused', async () => {
  const handle = await shell('stty raw -echo; echo ready; sleep 60')
  await new Promise((resolve) => handle.output.once('data', resolve))
  const waiting = expect(handle.write(new Uint8Array(15 * 1024 * 1024))).rejects.toThrow('has exited')
  await expect(handle.write(new Uint8Array(2 * 1024 * 1024))).rejects.toThrow('terminal input queue is full')
  await handle.terminate()
  await waiting
})

test('what is no text, no bytes, no size and no signal is named', async () => {
  const handle = await shell('sleep 60')
  await expect(handle.write(5 as never)).rejects.toThrow('data must be a string or a Uint8Array; got 5')
  expect(() => handle.resize(0, 24)).toThrow('cols must be an integer from 1 to 65535; got 0')
  expect(() => handle.signalForeground('SIGUSR1' as never)).toThrow('signal must be one of SIGINT, SIGTERM')
  await handle.terminate()
})

test('a program that waits in epoll for the terminal under another number waits for input', async () => {
  const handle = await start(process.execPath, '-e', 'process.stdin.resume()')
  await until(() => handle.inspectForeground()?.inputWaiting === true)
  await handle.terminate()
})

test('a pipeline that reads something else does not wait for the terminal', async () => {
  const handle = await shell('echo ready; sleep 60 | cat')
  await new Promise((resolve) => handle.output.once('data', resolve))
  await until(() => handle.inspectForeground()?.inputWaiting === false)
  for (let look = 0; look < 20; look += 1) expect(handle.inspectForeground()?.inputWaiting).toBe(false)
  await handle.terminate()
})

test('a command ends although nobody reads what it wrote last, or the reader has gone', async () => {
  const unread = await shell('seq 1 1000')
  expect(await unread.done).toEqual(success)
  expect(await textOf(unread)).toContain('\r\n1000\r\n')
  const deserted = await shell('seq 1 200000')
  deserted.output.destroy()
  expect(await deserted.done).toEqual(success)
})

test('a signal to the foreground reaches it, and its number is told', async () => {
  const handle = await shell("trap 'echo interrupted; exit 5' INT; echo ready; while :; do sleep 0.02; done")
  await new Promise((resolve) => handle.output.once('data', resolve))
  expect(handle.signalForeground('SIGINT')).toBe(handle.pid)
  expect(await handle.done).toEqual({ exitCode: 5, signal: null })
})

feature('the cgroup v1 freezer', canFreeze)('an end that fails says who is left, and can be tried again', async () => {
  await using freezer = new Freezer()
  const argv = ['bash', '-c', 'echo ready; exec sleep 60']
  const handle = await runtime.spawnTerminal({ argv, cwd: '/', rows: 24, cols: 80, graceMs: 10 })
  await new Promise((resolve) => handle.output.once('data', resolve))
  freezer.freeze([handle.pid])
  for (const _attempt of [1, 2]) {
    await expect(handle.terminate()).rejects.toThrow(`terminal cleanup failed; surviving pid(s): ${handle.pid}`)
  }
  expect(handle.quiescent).toBe(false)
  freezer.thaw()
  await handle.terminate()
  expect(handle.quiescent).toBe(true)
})
