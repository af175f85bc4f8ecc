import { getEventListeners } from 'node:events'
import * as fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import { canFreeze, Freezer } from '../../fixtures/shell/v1-freezer.js'
import { feature } from '../../setup/features.js'
import { bash, specOf } from '../specs.js'
import { finished, running, sleepMarker, textOf, until, untilOutput } from './observe.js'
import { describeEachProvider } from './providers.js'

const killed = { exitCode: null, signal: 'SIGKILL' }
const termed = { exitCode: null, signal: 'SIGTERM' }

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime

  beforeAll(() => {
    runtime = provider.create()
  })

  afterAll(() => runtime.dispose())

  describe('terminate', () => {
    it('asks first: a command can clean up and choose its exit code', async () => {
      const handle = runtime.spawn(bash("trap 'echo cleaned; exit 5' TERM; echo ready; while :; do sleep 0.02; done"))
      await untilOutput(handle, 'ready')
      handle.terminate()
      handle.terminate()
      expect(await finished(handle)).toEqual({
        outcome: { exitCode: 5, signal: null },
        stdout: 'ready\ncleaned\n',
        stderr: expect.any(String)
      })
      expect(handle.facts.cause).toBe('terminate')
    })

    it('kills after the grace what does not obey, and not before', async () => {
      const handle = runtime.spawn(bash("trap '' TERM; echo ready; while :; do sleep 0.02; done", { graceMs: 300 }))
      await untilOutput(handle, 'ready')
      const startedAt = performance.now()
      handle.terminate()
      const outcome = await handle.done
      const tookMs = performance.now() - startedAt
      expect({ outcome, empty: await handle.waitForExit(), cause: handle.facts.cause }).toEqual({
        outcome: killed,
        empty: true,
        cause: 'terminate'
      })
      expect(tookMs).toBeGreaterThanOrEqual(290)
      expect(tookMs).toBeLessThan(2500)
    })

    feature('the cgroup v1 freezer', canFreeze)('a short grace does not shorten the time that KILL gets', async () => {
      await using freezer = new Freezer()
      const handle = runtime.spawn(bash('echo ready; exec sleep 30.5', { graceMs: 10 }))
      await untilOutput(handle, 'ready')
      freezer.freeze([handle.pid])
      handle.terminate()
      setTimeout(() => freezer.thaw(), 400)
      // Which of the two the kernel delivers first is its own affair; that the end is told is ours.
      expect((await handle.done).signal).toMatch(/^SIG(TERM|KILL)$/)
      expect(await handle.waitForExit()).toBe(true)
    })

    it('reaches children, pipelines and jobs of their own group', async () => {
      const [first, second] = [sleepMarker(), sleepMarker()]
      const handle = runtime.spawn(bash(`sleep ${first} & sleep ${second} | cat | cat; wait`))
      await until(() => running(first).length + running(second).length === 2)
      handle.terminate()
      expect({ outcome: await handle.done, empty: await handle.waitForExit() }).toEqual({
        outcome: termed,
        empty: true
      })
      expect([...running(first), ...running(second)]).toEqual([])
    })

    it('kills a helper that ignores TERM although the command itself has gone', async () => {
      const marker = sleepMarker()
      const handle = runtime.spawn(
        bash(`bash -c 'trap "" TERM; echo ready; while :; do sleep 0.02; done' ${marker} & wait`, { graceMs: 300 })
      )
      await untilOutput(handle, 'ready')
      handle.terminate()
      const outcome = await handle.done
      expect({ outcome, empty: await handle.waitForExit(), left: running(marker) }).toEqual({
        outcome: termed,
        empty: true,
        left: []
      })
    })

    it('wakes a stopped command so that it can obey', async () => {
      const handle = runtime.spawn(bash("trap 'exit 6' TERM; kill -STOP $$", { graceMs: 20_000 }))
      await until(() => fs.readFileSync(`/proc/${handle.pid}/stat`, 'latin1').includes(') T '))
      handle.terminate()
      expect(await handle.done).toEqual({ exitCode: 6, signal: null })
    })

    it('right after spawn reaches the command', async () => {
      const handle = runtime.spawn(specOf(['sleep', sleepMarker()]))
      handle.terminate()
      expect({ outcome: await handle.done, empty: await handle.waitForExit() }).toEqual({
        outcome: termed,
        empty: true
      })
    })

    it('does nothing to a command that is over', async () => {
      const handle = runtime.spawn(bash('exit 3'))
      await handle.done
      await handle.waitForExit()
      handle.terminate()
      expect({ outcome: await handle.done, cause: handle.facts.cause }).toEqual({
        outcome: { exitCode: 3, signal: null },
        cause: null
      })
    })

    it('keeps what was written before', async () => {
      const handle = runtime.spawn(bash(`echo progress; exec sleep ${sleepMarker()}`))
      await untilOutput(handle, 'progress')
      handle.terminate()
      expect(await finished(handle)).toEqual({ outcome: termed, stdout: 'progress\n', stderr: '' })
    })
  })

  describe('the abort signal', () => {
    it('ends the range and lets go of the signal then', async () => {
      const controller = new AbortController()
      const handle = runtime.spawn(specOf(['sleep', sleepMarker()], { signal: controller.signal }))
      controller.abort()
      expect({ outcome: await handle.done, empty: await handle.waitForExit(), cause: handle.facts.cause }).toEqual({
        outcome: termed,
        empty: true,
        cause: 'terminate'
      })
      expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    })

    it('ends what is left although the command has settled', async () => {
      const marker = sleepMarker()
      const controller = new AbortController()
      const handle = runtime.spawn(bash(`sleep ${marker} & exit 0`, { signal: controller.signal }))
      const outcome = await handle.done
      const left = running(marker).length
      controller.abort()
      expect({
        outcome,
        left,
        empty: await handle.waitForExit(),
        after: running(marker),
        cause: handle.facts.cause
      }).toEqual({
        outcome: { exitCode: 0, signal: null },
        left: 1,
        empty: true,
        after: [],
        cause: null
      })
    })

    it('may be shared by many commands without a warning', async () => {
      const warnings: Error[] = []
      const onWarning = (warning: Error) => warnings.push(warning)
      process.on('warning', onWarning)
      const controller = new AbortController()
      const handles = Array.from({ length: 30 }, () =>
        runtime.spawn(specOf(['sleep', '300'], { signal: controller.signal }))
      )
      controller.abort()
      const outcomes = await Promise.all(handles.map(({ done }) => done))
      await Promise.all(handles.map((handle) => handle.waitForExit()))
      process.off('warning', onWarning)
      expect({ outcomes, warnings }).toEqual({ outcomes: handles.map(() => termed), warnings: [] })
    })
  })

  describe('the deadline', () => {
    it('ends the range and is the cause', async () => {
      const marker = sleepMarker()
      const handle = runtime.spawn(bash(`echo started; sleep ${marker} & wait`, { deadlineMs: 300 }))
      const result = await finished(handle)
      expect({
        ...result,
        empty: await handle.waitForExit(),
        left: running(marker),
        cause: handle.facts.cause
      }).toEqual({
        outcome: termed,
        stdout: 'started\n',
        stderr: '',
        empty: true,
        left: [],
        cause: 'deadline'
      })
      expect(handle.facts.usage?.wallMs).toBeGreaterThanOrEqual(290)
    })

    if (provider.name !== 'node') {
      it('does not wait for a host whose event loop is blocked', async () => {
        const handle = runtime.spawn(specOf(['sleep', '60'], { deadlineMs: 200 }))
        const from = performance.now()
        const blocked = (): boolean => performance.now() - from < 20_000
        while (fs.existsSync(`/proc/${handle.pid}/exe`) && blocked());
        const endedInTheBlock = blocked()
        const outcome = await handle.done
        expect({ endedInTheBlock, outcome, cause: handle.facts.cause }).toEqual({
          endedInTheBlock: true,
          outcome: termed,
          cause: 'deadline'
        })
      })
    }

    it('stays the cause when terminate comes later', async () => {
      const script = "trap 'echo told' TERM; echo ready; while :; do sleep 0.02; done"
      const handle = runtime.spawn(bash(script, { deadlineMs: 300, graceMs: 400 }))
      await untilOutput(handle, 'told')
      handle.terminate()
      expect({ outcome: await handle.done, cause: handle.facts.cause }).toEqual({ outcome: killed, cause: 'deadline' })
      await handle.waitForExit()
    })

    it('tells a command that kept it at once, whoever goes on writing to its streams', async () => {
      const writes = '(while :; do echo tick; sleep 0.02; done) & exit 6'
      const startedAt = performance.now()
      const handle = runtime.spawn(bash(writes, { deadlineMs: 900, graceMs: 60_000 }))
      const outcome = await handle.done
      const tookMs = performance.now() - startedAt
      const { cause, quiescent } = handle.facts
      handle.terminate()
      await handle.waitForExit()
      expect({ outcome, cause, quiescent }).toEqual({
        outcome: { exitCode: 6, signal: null },
        cause: null,
        quiescent: false
      })
      expect(tookMs).toBeLessThan(20_000)
    })

    it('is of no consequence to a command that is faster, or to what it leaves running', async () => {
      const marker = sleepMarker()
      const handle = runtime.spawn(bash(`sleep ${marker} >/dev/null 2>&1 & exit 0`, { deadlineMs: 600 }))
      const outcome = await handle.done
      await new Promise((resolve) => setTimeout(resolve, 900))
      const left = running(marker).length
      handle.terminate()
      await handle.waitForExit()
      expect({ outcome, left, cause: handle.facts.cause }).toEqual({
        outcome: { exitCode: 0, signal: null },
        left: 1,
        cause: null
      })
    })
  })

  describe('waitForExit', () => {
    it('is true for a range that is empty, also with an aborted signal', async () => {
      const handle = runtime.spawn(bash(':'))
      await handle.done
      await handle.waitForExit()
      expect(await handle.waitForExit(AbortSignal.abort())).toBe(true)
    })

    it('is false when its signal comes first, and has stopped nothing', async () => {
      const handle = runtime.spawn(bash('read -r _; echo survived', { stdio: { stdin: 'pipe' } }))
      const waits = [await handle.waitForExit(AbortSignal.abort()), await handle.waitForExit(AbortSignal.timeout(50))]
      handle.stdin?.end('\n')
      await handle.done
      expect({ waits, stdout: textOf(handle) }).toEqual({ waits: [false, false], stdout: 'survived\n' })
    })
  })
})
