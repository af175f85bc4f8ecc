import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { isAlive } from '../fixtures/shell/live-processes.js'
import { providers, testOn } from '../fixtures/shell/providers.js'
import { finished, onProvider, startCli, useBuiltCli } from './built-cli.js'

useBuiltCli()

/** The first line of output, as the reader of a terminal would see it: while the command runs. */
async function firstLine(child: ChildProcess): Promise<string> {
  let text = ''
  while (!text.includes('\n')) {
    const [chunk] = (await once(child.stdout as NodeJS.EventEmitter, 'data')) as [Buffer]
    text += chunk.toString()
  }
  return text.trim()
}

const signals = [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129]
] as const

describe.each(providers)('a signal to the command line on %o', (subprocess) => {
  const test = testOn(subprocess)
  const on = onProvider(subprocess.provider)

  for (const [signal, status] of signals)
    test(`${signal} ends the range first, politely, and then exits with ${status}`, async () => {
      const child = startCli(['sh', ...on, 'trap "echo cleaned; exit 0" TERM; sleep 60 & echo $!; wait'])
      const end = finished(child)
      const descendant = Number(await firstLine(child))
      child.kill(signal)
      expect(await end).toEqual({ status, signal: null, stdout: `${descendant}\ncleaned\n`, stderr: '' })
      expect(isAlive(descendant)).toBe(false)
    })

  test('prints the result with --json all the same', async () => {
    const child = startCli(['run', ...on, '--json', '--', 'sh', '-c', 'echo up; kill -INT $PPID; sleep 60'])
    const { status, stdout } = await finished(child)
    expect([status, JSON.parse(stdout)]).toMatchObject([
      130,
      { signal: 'SIGTERM', aborted: true, quiescent: true, stdout: { text: 'up\n' } }
    ])
  })

  test('leaves at once at a second one, and nothing survives', async () => {
    const stubborn = 'trap "echo asked" TERM; echo $$; while :; do sleep 60 & wait; done'
    const child = startCli(['sh', ...on, '--grace', '10m', stubborn])
    const end = finished(child)
    const pid = Number(await firstLine(child))
    child.kill('SIGTERM')
    expect(await firstLine(child)).toBe('asked')
    child.kill('SIGINT')
    expect(await end).toEqual({ status: 130, signal: null, stdout: `${pid}\nasked\n`, stderr: '' })
    expect(isAlive(pid)).toBe(false)
  })

  test('ends what a command has left running when the command line exits', async () => {
    const child = startCli(['sh', ...on, 'sleep 60 & echo $!'])
    const { status, stdout } = await finished(child)
    expect([status, isAlive(Number(stdout))]).toEqual([0, false])
  })
})

describe.each(providers)('a reader that goes away on %o', (subprocess) => {
  const test = testOn(subprocess)
  const on = onProvider(subprocess.provider)

  test('ends the command as a pipe would', async () => {
    const child = startCli(['sh', ...on, 'while :; do echo line; done'])
    const end = new Promise((resolve) => child.on('exit', (status) => resolve(status)))
    await firstLine(child)
    child.stdout?.destroy()
    expect(await end).toBe(141)
  })
})
