import { expect, vi } from 'vitest'
import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import { compiledFixture } from '../fixtures/compiled.js'
import { finished } from '../subprocess/behaviour/observe.js'
import { specOf } from '../subprocess/specs.js'
import { expectWithin } from './figures.js'
import { withNative } from './native-features.js'

vi.setConfig({ testTimeout: 60_000 })

const blockedMs = 5000
const deadlinesMs = [500, 1000, 1500, 2000, 2500, 3000, 3500, 4000, 4500]
const boundMs = 20
const hardBoundMs = 500

const nowMs = (): number => Number(process.hrtime.bigint()) / 1e6

/** Really busy, as a host that computes: a processor is taken too. */
function blockLoop(): void {
  const end = nowMs() + blockedMs
  while (nowMs() < end);
}

withNative(
  `an event loop blocked for ${blockedMs} ms does not move a deadline by more than ${boundMs} ms`,
  async () => {
    const runtime = new NativeSubprocessRuntime()
    const command = compiledFixture('notes-term')
    const commands = deadlinesMs.map((deadlineMs) => {
      const dueAt = nowMs() + deadlineMs
      return { dueAt, handle: runtime.spawn(specOf([command], { deadlineMs })) }
    })
    blockLoop()
    const delays: number[] = []
    for (const { dueAt, handle } of commands) {
      const { outcome, stdout } = await finished(handle)
      expect({ outcome, cause: handle.facts.cause }).toEqual({
        outcome: { exitCode: 0, signal: null },
        cause: 'deadline'
      })
      // By the clock of the command, at the moment when TERM came to it.
      delays.push(Number(BigInt(stdout)) / 1e6 - dueAt)
    }
    await runtime.dispose()
    expect(Math.min(...delays)).toBeGreaterThanOrEqual(-1)
    expectWithin(delays, boundMs, hardBoundMs)
  }
)
