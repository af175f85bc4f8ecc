import { describe, expect, it } from 'vitest'
import { bash, specOf } from '../specs.js'
import { running, sleepMarker, textOf, until, untilOutput } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  describe('disposal', () => {
    it('ends running commands and leftovers, all at the same time', async () => {
      const runtime = provider.create()
      const markers = Array.from({ length: 4 }, sleepMarker)
      const stubborn = (marker: string) => `bash -c 'trap "" TERM; echo up; while :; do sleep 0.02; done' ${marker}`
      const [first = '', second = '', third = '', fourth = ''] = markers
      const graceMs = 2000
      const handles = [
        runtime.spawn(bash(`exec ${stubborn(first)}`, { graceMs })),
        runtime.spawn(bash(`${stubborn(second)} & exit 0`, { graceMs })),
        runtime.spawn(bash(`exec ${stubborn(third)}`, { graceMs })),
        runtime.spawn(specOf(['sleep', fourth], { graceMs }))
      ]
      await until(() => handles.slice(0, 3).every((handle) => textOf(handle).includes('up')))
      const startedAt = performance.now()
      await runtime.dispose()
      const tookMs = performance.now() - startedAt
      expect({
        left: markers.flatMap(running),
        quiescent: handles.map(({ facts }) => facts.quiescent),
        outcomes: await Promise.all(handles.map(({ done }) => done))
      }).toEqual({
        left: [],
        quiescent: [true, true, true, true],
        outcomes: [
          { exitCode: null, signal: 'SIGKILL' },
          { exitCode: 0, signal: null },
          { exitCode: null, signal: 'SIGKILL' },
          { exitCode: null, signal: 'SIGTERM' }
        ]
      })
      // One grace for all; one after the other they would need three.
      expect(tookMs).toBeLessThan(3 * graceMs)
    })

    it('of nothing does nothing, and is idempotent', async () => {
      const runtime = provider.create()
      await runtime.dispose()
      await runtime.dispose()
      expect(() => runtime.spawn(bash(':'))).toThrow('cannot spawn: the subprocess runtime has been disposed')
    })

    it('does not mind commands that could not be started', async () => {
      const runtime = provider.create()
      const handle = runtime.spawn(specOf(['no-such-program']))
      await runtime.dispose()
      expect(await handle.done.catch(({ code }: { code: string }) => code)).toBe('ENOENT')
    })

    it('stops reading what an escapee still writes', async () => {
      const runtime = provider.create()
      const marker = sleepMarker()
      const handle = runtime.spawn(
        bash(`setsid bash -c "echo up; exec sleep ${marker}" & sleep 0.3; exit 0`, { graceMs: 200 })
      )
      await untilOutput(handle, 'up')
      await handle.done
      await runtime.dispose()
      const escaped = handle.facts.range === 'group' ? running(marker) : []
      for (const pid of escaped) process.kill(pid, 'SIGKILL')
      await until(() => running(marker).length === 0)
      expect([handle.collected.stdout?.ended, textOf(handle)]).toEqual([true, 'up\n'])
    })
  })
})
