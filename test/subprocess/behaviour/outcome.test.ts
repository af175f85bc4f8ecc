import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import { bash, specOf } from '../specs.js'
import { finished, until } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime

  beforeAll(() => {
    runtime = provider.create()
  })

  afterAll(() => runtime.dispose())

  describe('the outcome', () => {
    it.each([
      ['exit 0', { exitCode: 0, signal: null }],
      ['exit 7', { exitCode: 7, signal: null }],
      ['exit 255', { exitCode: 255, signal: null }],
      ['kill -KILL $$', { exitCode: null, signal: 'SIGKILL' }],
      ['kill -TERM $$', { exitCode: null, signal: 'SIGTERM' }],
      ['bash -c "kill -KILL \\$\\$"; exit $?', { exitCode: 137, signal: null }]
    ])('of %s is exactly one of code and signal', async (script, outcome) => {
      expect(await runtime.spawn(bash(script)).done).toEqual(outcome)
    })

    it('has a settled promise for every one who asks', async () => {
      const handle = runtime.spawn(bash('exit 3'))
      await handle.done
      expect(await Promise.all([handle.done, handle.done])).toEqual([
        { exitCode: 3, signal: null },
        { exitCode: 3, signal: null }
      ])
    })

    it('comes for each of many at once', async () => {
      const codes = Array.from({ length: 30 }, (_, index) => index)
      const outcomes = await Promise.all(codes.map((code) => runtime.spawn(bash(`exit ${code}`)).done))
      expect(outcomes).toEqual(codes.map((exitCode) => ({ exitCode, signal: null })))
    })
  })

  describe('the facts', () => {
    it('before the end know the range and nothing more', async () => {
      const handle = runtime.spawn(specOf(['cat'], { stdio: { stdin: 'pipe' } }))
      const { facts } = handle
      handle.stdin?.end()
      await handle.done
      expect(facts).toEqual({ range: runtime.range.kind, cause: null, quiescent: false, usage: null })
    })

    it('after the end are complete', async () => {
      const handle = runtime.spawn(bash('sleep 0.2'))
      await handle.done
      await handle.waitForExit()
      const { usage, ...facts } = handle.facts
      expect(facts).toEqual({ range: runtime.range.kind, cause: null, quiescent: true })
      expect(usage).toEqual({
        wallMs: expect.any(Number),
        userMs: expect.toSatisfy(isAmount),
        systemMs: expect.toSatisfy(isAmount),
        maxRssBytes: expect.toSatisfy(isAmount),
        treeCpuMs: runtime.range.kind === 'cgroup' ? expect.any(Number) : null,
        memoryPeakBytes: null,
        pidsPeak: null,
        oomKills: null
      })
      expect(usage?.wallMs).toBeGreaterThanOrEqual(195)
    })

    it('of the runtime name the range and, strongest first, why there is no stronger one', () => {
      const { kind, reasons } = runtime.range
      const strongest = ['cgroup', 'scope', 'supervisor', 'group']
      expect([...reasons.map((reason) => reason.kind), kind]).toEqual(strongest.slice(0, strongest.indexOf(kind) + 1))
      expect(reasons.filter(({ reason }) => reason.length < 10)).toEqual([])
    })
  })

  describe('pid', () => {
    it('is that of the command, at once', async () => {
      const handle = runtime.spawn(bash('echo $$'))
      const { pid } = handle
      expect((await finished(handle)).stdout).toBe(`${pid}\n`)
    })

    it('leaves no zombie behind', async () => {
      const { pid, done } = runtime.spawn(bash(':'))
      await done
      await until(() => !exists(pid))
      expect(exists(pid)).toBe(false)
    })
  })
})

/** A provider that cannot know says null. */
function isAmount(value: unknown): boolean {
  return value === null || (typeof value === 'number' && value >= 0)
}

function exists(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}
