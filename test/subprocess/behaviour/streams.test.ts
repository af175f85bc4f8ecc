import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import { bash, collect, specOf } from '../specs.js'
import { finished, success } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime

  beforeAll(() => {
    runtime = provider.create()
  })

  afterAll(() => runtime.dispose())

  describe('standard input', () => {
    it('is the null device when ignored', async () => {
      expect(await finished(runtime.spawn(bash('readlink /proc/self/fd/0')))).toEqual({
        outcome: success,
        stdout: '/dev/null\n',
        stderr: ''
      })
    })

    it.each([
      ['text', 'héllo\n', 'héllo\n'],
      ['bytes', new Uint8Array([104, 105]), 'hi'],
      ['nothing', '', '']
    ])('is data, once, and then its end: %s', async (_title, data, stdout) => {
      const handle = runtime.spawn(specOf(['cat'], { stdio: { stdin: { data } } }))
      expect(await finished(handle)).toEqual({ outcome: success, stdout, stderr: '' })
    })

    it('is data of any size', async () => {
      const data = 'x'.repeat(3 * 1024 * 1024)
      const handle = runtime.spawn(specOf(['wc', '-c'], { stdio: { stdin: { data } } }))
      expect((await finished(handle)).stdout.trim()).toBe(String(data.length))
    })

    it('can be opened again by its name', async () => {
      const handle = runtime.spawn(bash('cat /dev/stdin', { stdio: { stdin: { data: 'again' } } }))
      expect(await finished(handle)).toEqual({ outcome: success, stdout: 'again', stderr: '' })
    })

    it('of a command that never reads is no fault', async () => {
      const stdin = { data: 'x'.repeat(3 * 1024 * 1024) }
      expect(await runtime.spawn(bash('exit 4', { stdio: { stdin } })).done).toEqual({ exitCode: 4, signal: null })
    })

    it('is a stream of the caller when piped', async () => {
      const handle = runtime.spawn(specOf(['cat'], { stdio: { stdin: 'pipe' } }))
      handle.stdin?.write('one ')
      handle.stdin?.end('two')
      expect(await finished(handle)).toEqual({ outcome: success, stdout: 'one two', stderr: '' })
    })
  })

  describe('the shape of a handle', () => {
    it('has streams where they are piped and readers where they are collected', async () => {
      const modes = [
        { stdin: 'ignore', stdout: 'ignore', stderr: 'ignore' },
        { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe', control: 'pipe' },
        { stdin: { data: 'x' }, stdout: collect, stderr: collect }
      ] as const
      const shapes = modes.map((stdio) => {
        const handle = runtime.spawn(bash(':', { stdio }))
        handle.stdout?.resume()
        handle.stderr?.resume()
        handle.control?.resume()
        const { stdin, stdout, stderr, control, collected } = handle
        const streams = [stdin, stdout, stderr, control].map((stream) => stream !== null)
        stdin?.end()
        control?.end()
        return { streams, readers: Object.keys(collected), done: handle.done }
      })
      await Promise.all(shapes.map(({ done }) => done))
      expect(shapes.map(({ streams, readers }) => ({ streams, readers }))).toEqual([
        { streams: [false, false, false, false], readers: [] },
        { streams: [true, true, true, true], readers: [] },
        { streams: [false, false, false, false], readers: ['stdout', 'stderr'] }
      ])
    })
  })

  describe('raw output', () => {
    it('reaches the caller unchanged and is not cut off at settlement', async () => {
      const handle = runtime.spawn(bash('seq 1 20000; echo err >&2', { stdio: { stdout: 'pipe', stderr: 'pipe' } }))
      const [stdout, stderr] = await Promise.all([textOf(handle.stdout), textOf(handle.stderr)])
      const expected = Array.from({ length: 20_000 }, (_, index) => `${index + 1}\n`).join('')
      expect({ outcome: await handle.done, stdout, stderr }).toEqual({
        outcome: success,
        stdout: expected,
        stderr: 'err\n'
      })
    })

    it('of a leftover stays open: it belongs to the caller', async () => {
      const handle = runtime.spawn(
        bash('(read -r line <&7; echo "late $line") & exit 0', {
          stdio: { stdout: 'pipe', control: 'pipe' },
          graceMs: 100
        })
      )
      const outcome = await handle.done
      const output = textOf(handle.stdout)
      // Three times the bound after which collected streams are not waited for any more.
      await new Promise((resolve) => setTimeout(resolve, 300))
      handle.control?.end('word\n')
      expect({ outcome, output: await output, empty: await handle.waitForExit() }).toEqual({
        outcome: success,
        output: 'late word\n',
        empty: true
      })
    })
  })

  describe('the descriptors of a command', () => {
    it('are pipes that can be opened again by name', async () => {
      const handle = runtime.spawn(bash('echo out > /dev/stdout; echo err > /dev/stderr; echo end'))
      expect(await finished(handle)).toEqual({ outcome: success, stdout: 'out\nend\n', stderr: 'err\n' })
    })

    it('are blocking', async () => {
      const handle = runtime.spawn(bash('cat /proc/self/fdinfo/1 /proc/self/fdinfo/2 | grep flags'))
      const flags = (await finished(handle)).stdout.match(/\d+/g)?.map((octal) => Number.parseInt(octal, 8) & 0o4000)
      expect(flags).toEqual([0, 0])
    })

    it('are the private channel at 7, named to the command, and nothing between', async () => {
      const handle = runtime.spawn(
        bash(
          '[ ! -e /proc/self/fd/5 ] && read -r line <&"$QUIESCE_CONTROL_FD" && echo "got $line $QUIESCE_CONTROL_FD" >&7',
          {
            stdio: { control: 'pipe' }
          }
        )
      )
      handle.control?.write('word\n')
      const answer = await textOf(handle.control)
      expect({ answer, outcome: await handle.done }).toEqual({ answer: 'got word 7\n', outcome: success })
    })

    it('are a nameless file at 8 that can be read from its start and not written', async () => {
      const data = `attached ${'x'.repeat(200_000)}`
      const handle = runtime.spawn(
        bash('head -c 8 <&8; echo; wc -c < /dev/fd/8; echo no >&8', { stdio: { attachment: { data } } })
      )
      const { outcome, stdout, stderr } = await finished(handle)
      expect({
        code: outcome.exitCode,
        stdout: stdout.replace(/ /g, ''),
        refused: /8: Bad file|write error/.test(stderr)
      }).toEqual({
        code: 1,
        stdout: `attached\n${data.length}\n`,
        refused: true
      })
    })

    it('are gone when the command has not asked for them', async () => {
      const handle = runtime.spawn(
        bash('[ -e /proc/self/fd/7 ] || [ -e /proc/self/fd/8 ]; echo "$? ${QUIESCE_CONTROL_FD-none}"')
      )
      expect((await finished(handle)).stdout).toBe('1 none\n')
    })
  })
})

async function textOf(stream: Readable | null): Promise<string> {
  return stream === null ? 'no stream' : text(stream)
}
