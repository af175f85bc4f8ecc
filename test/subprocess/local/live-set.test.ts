import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { bash } from '../specs.js'
import { ScriptedRuntime } from './scripted-runtime.js'

setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** A weak reference only keeps its target for the turn that made it. */
async function isCollected(reference: WeakRef<object>): Promise<boolean> {
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    collectGarbage()
    if (reference.deref() === undefined) return true
  }
  return false
}

type Event = 'settle' | 'empty' | 'settle-empty'

// A function of its own, so that nothing on the test's stack refers to the driver, which knows its handle.
function commandThatIsOver(runtime: ScriptedRuntime, events: readonly Event[]): WeakRef<object> {
  const reference = new WeakRef(runtime.spawn(bash(':')))
  const driver = runtime.drivers.pop()
  for (const event of events) {
    if (event === 'empty') driver?.events.quiescent()
    else driver?.settle({ quiescent: event === 'settle-empty' || events[0] === 'empty' })
  }
  return reference
}

describe('a runtime that lives on', () => {
  it.each([
    ['first settled, then empty', ['settle', 'empty']],
    ['first empty, then settled', ['empty', 'settle']],
    ['settled as empty', ['settle-empty']]
  ] as const)('keeps no handle whose command is over: %s', async (_, events) => {
    const runtime = new ScriptedRuntime()
    const reference = commandThatIsOver(runtime, events)
    expect(await isCollected(reference)).toBe(true)
    await runtime.dispose()
  })
})
