import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import { longestTurn } from '../../setup/stall.js'
import { bash, specOf } from '../specs.js'
import { finished, success, textOf, untilOutput } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime

  beforeAll(() => {
    runtime = provider.create()
  })

  afterAll(() => runtime.dispose())

  const collected = async (script: string, maxBytes: number) => {
    const handle = runtime.spawn(bash(script, { stdio: { stdout: { maxBytes } } }))
    const outcome = await handle.done
    const reader = handle.collected.stdout
    return { outcome, read: reader?.readFrom(0), totalBytes: reader?.totalBytes, ended: reader?.ended }
  }

  describe('the tail', () => {
    it('of a stream that just fits is the whole stream', async () => {
      expect(await collected('printf 12345', 5)).toEqual({
        outcome: success,
        read: { text: '12345', nextOffset: 5, lossy: false },
        totalBytes: 5,
        ended: true
      })
    })

    it('of a longer one is exactly its last bytes', async () => {
      const whole = Array.from({ length: 50_000 }, (_, index) => `${index + 1}\n`).join('')
      expect(await collected('seq 1 50000', 1000)).toEqual({
        outcome: success,
        read: { text: whole.slice(-1000), nextOffset: whole.length, lossy: true },
        totalBytes: whole.length,
        ended: true
      })
    })

    it('of small writes is the same as that of large ones', async () => {
      const script = 'for i in {1..300}; do echo "line $i"; done'
      const whole = Array.from({ length: 300 }, (_, index) => `line ${index + 1}\n`).join('')
      const { read } = await collected(script, 777)
      expect(read).toEqual({ text: whole.slice(-777), nextOffset: whole.length, lossy: true })
    })

    it('of each stream is its own', async () => {
      const handles = Array.from({ length: 8 }, (_, index) =>
        runtime.spawn(
          bash(`head -c 300000 /dev/zero | tr '\\0' ${index}; head -c 9 /dev/zero | tr '\\0' e >&2`, {
            stdio: { stdout: { maxBytes: 2000 }, stderr: { maxBytes: 2000 } }
          })
        )
      )
      expect(await Promise.all(handles.map(finished))).toEqual(
        handles.map((_, index) => ({ outcome: success, stdout: `${index}`.repeat(2000), stderr: 'e'.repeat(9) }))
      )
    })

    it('of a flood comes without the host standing still', async () => {
      const bytes = 100_000_000
      const handle = runtime.spawn(
        specOf(['head', '-c', String(bytes), '/dev/zero'], { stdio: { stdout: { maxBytes: 100 } } })
      )
      const stall = await longestTurn(() => handle.done)
      expect({ outcome: await handle.done, read: handle.collected.stdout?.readFrom(0) }).toEqual({
        outcome: success,
        read: { text: '\0'.repeat(100), nextOffset: bytes, lossy: true }
      })
      expect(stall).toBeLessThan(500)
    })
  })

  describe('text', () => {
    it('keeps a character whole that came in two parts', async () => {
      const handle = runtime.spawn(
        bash("printf 'a\\xe2\\x82'; read -r _; printf '\\xac\\n'", { stdio: { stdin: 'pipe' } })
      )
      await untilOutput(handle, 'a')
      const reader = handle.collected.stdout
      while ((reader?.totalBytes ?? 0) < 3) await new Promise((resolve) => setTimeout(resolve, 5))
      const live = reader?.readFrom(0)
      handle.stdin?.end('\n')
      await handle.done
      expect([live, reader?.readFrom(live?.nextOffset ?? 0)]).toEqual([
        { text: 'a', nextOffset: 1, lossy: false },
        { text: '€\n', nextOffset: 5, lossy: false }
      ])
    })

    it('starts with a whole character where the window cuts one', async () => {
      const { read } = await collected("for i in {1..1000}; do printf '你'; done", 1000)
      expect(read).toEqual({ text: '你'.repeat(333), nextOffset: 3000, lossy: true })
    })

    it('shows undecodable bytes as U+FFFD and keeps them as bytes', async () => {
      const handle = runtime.spawn(bash("printf 'a\\xff\\xe2\\x82'"))
      await handle.done
      const reader = handle.collected.stdout
      expect([reader?.readFrom(0), Buffer.from(reader?.readBytesFrom(1).bytes ?? []).toString('hex')]).toEqual([
        { text: 'a\ufffd\ufffd', nextOffset: 4, lossy: false },
        'ffe282'
      ])
    })
  })

  describe('readers', () => {
    it('read while the command runs, each at its own place, and after the end', async () => {
      const handle = runtime.spawn(bash('echo one; read -r _; echo two', { stdio: { stdin: 'pipe' } }))
      await untilOutput(handle, 'one\n')
      const reader = handle.collected.stdout
      const live = [reader?.readFrom(0), reader?.readFrom(4), reader?.ended]
      handle.stdin?.end('\n')
      await handle.done
      expect({ live, after: [reader?.readFrom(4), reader?.readFrom(0), reader?.readFrom(99), reader?.ended] }).toEqual({
        live: [{ text: 'one\n', nextOffset: 4, lossy: false }, { text: '', nextOffset: 4, lossy: false }, false],
        after: [
          { text: 'two\n', nextOffset: 8, lossy: false },
          { text: 'one\ntwo\n', nextOffset: 8, lossy: false },
          { text: '', nextOffset: 8, lossy: false },
          true
        ]
      })
    })

    it('stay readable after disposal', async () => {
      const other = provider.create()
      const handle = other.spawn(bash('echo kept'))
      await handle.done
      await other.dispose()
      expect(textOf(handle)).toBe('kept\n')
    })
  })
})
