// The runner becomes the command: its status, its signals, its streams and its process are those of the command.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect } from 'vitest'
import { callers, ended, runner } from './runner.js'

const ways: Record<string, string[]> = { 'in full': [], 'by Landlock alone': ['--landlock-only'] }

for (const caller of callers) {
  for (const [how, options] of Object.entries(ways)) {
    describe(`a command of ${caller.name} confined ${how}`, () => {
      caller.test('ends with its own status, whatever it is', () => {
        const statuses = [0, 1, 2, 125, 126, 127, 255]
        expect(statuses.map((status) => caller.confine([...options, '--', '/bin/sh', '-c', `exit ${status}`]))).toEqual(
          statuses.map((status) => ({ status, signal: null, stdout: '', stderr: '' }))
        )
      })

      caller.test('ends by its own signal', () => {
        const signals = ['SIGKILL', 'SIGTERM', 'SIGSEGV'] as const
        const killed = signals.map((signal) =>
          caller.confine([...options, '--', '/bin/sh', '-c', `ulimit -c 0; kill -${signal.slice(3)} $$`])
        )
        expect(killed).toEqual(signals.map((signal) => ({ status: null, signal, stdout: '', stderr: '' })))
      })

      caller.test('gets its arguments and its environment as they are, and is found on the PATH', () => {
        const env = { PATH: '/usr/bin:/bin', 'odd-name': 'a\nb', EMPTY: '' }
        const words = ['', ' ', '--', '*', '$HOME', 'a\nb', '\u{1f600}']
        const printed = words.map((word) => `<${word}>`).join('')
        expect([
          caller.confine([...options, '--', 'printf', '<%s>', ...words], { env }),
          caller.confine([...options, '--', 'env', '-0'], { env })
        ]).toEqual([
          ended(printed),
          ended(
            Object.entries(env)
              .map(([name, value]) => `${name}=${value}\0`)
              .join('')
          )
        ])
      })
    })
  }
}

describe('the process of the runner', () => {
  for (const caller of callers) {
    caller.test(`needs nothing of ${caller.name} about children and streams`, () => {
      const ignoring = ['/bin/bash', '-c', 'trap "" CHLD; exec "$0" confine -- echo ran', runner]
      const closed = ['/bin/bash', '-c', 'exec "$0" confine -- /bin/bash -c "cat; echo ran >&2" <&- >&-', runner]
      expect([caller.start(ignoring), caller.start(closed)]).toEqual([
        ended('ran\n'),
        { status: 0, signal: null, stdout: '', stderr: 'ran\n' }
      ])
    })

    caller.test(`is that of the command of ${caller.name}, with no child left that it did not start`, async () => {
      const ids = caller.uid === process.geteuid?.() ? {} : { uid: caller.uid, gid: caller.uid }
      // Waits for all its children, if there is one, before it tells who it is.
      const script = 'wait; echo $$; cat /proc/$$/task/$$/children'
      const child = spawn(runner, ['confine', '--', '/bin/sh', '-c', script], {
        ...ids,
        stdio: ['ignore', 'pipe', 'inherit']
      })
      let text = ''
      child.stdout.setEncoding('utf8').on('data', (data: string) => {
        text += data
      })
      await once(child, 'close')
      const [pid, children] = text.split('\n')
      expect({ pid, count: children?.trim().split(' ').length }).toEqual({ pid: String(child.pid), count: 1 })
    })
  }
})
