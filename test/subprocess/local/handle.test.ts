import { getEventListeners } from 'node:events'
import { afterEach, describe, expect, it } from 'vitest'
import { bash } from '../specs.js'
import { ScriptedRuntime, usage } from './scripted-runtime.js'

const runtime = new ScriptedRuntime()

afterEach(() => {
  for (const { events } of runtime.drivers.splice(0)) {
    events.settled({ exitCode: 0, signal: null, cause: null, usage, quiescent: true })
  }
})

describe('the facts of a handle', () => {
  it('follow the driver until it settles, and the settlement after that', () => {
    const handle = runtime.spawn(bash(':'))
    const { driver } = runtime
    const running = handle.facts
    driver.cause = 'deadline'
    const ending = handle.facts
    driver.settle({ cause: 'deadline' })
    const settled = handle.facts
    driver.cause = 'terminate'
    driver.events.quiescent()
    expect([running, ending, settled, handle.facts]).toEqual([
      { range: 'group', cause: null, quiescent: false, usage: null },
      { range: 'group', cause: 'deadline', quiescent: false, usage: null },
      { range: 'group', cause: 'deadline', quiescent: false, usage },
      { range: 'group', cause: 'deadline', quiescent: true, usage }
    ])
  })

  it('are snapshots', () => {
    const handle = runtime.spawn(bash(':'))
    const before = handle.facts
    runtime.driver.settle({ quiescent: true })
    expect(before).toEqual({ range: 'group', cause: null, quiescent: false, usage: null })
  })
})

describe('terminate', () => {
  it('does nothing once the range is empty', () => {
    const handle = runtime.spawn(bash(':'))
    handle.terminate()
    runtime.driver.settle({ quiescent: true })
    handle.terminate()
    expect(runtime.driver.calls).toEqual(['terminate'])
  })

  it('still works when the command has settled and something of it is left', () => {
    const handle = runtime.spawn(bash(':'))
    runtime.driver.settle()
    handle.terminate()
    expect(runtime.driver.calls).toEqual(['terminate'])
  })
})

describe('the abort signal', () => {
  it('ends the range also after the command has settled', () => {
    const controller = new AbortController()
    runtime.spawn(bash(':', { signal: controller.signal }))
    runtime.driver.settle()
    controller.abort()
    expect(runtime.driver.calls).toEqual(['terminate'])
  })

  it('is let go of when the range is empty, and not before', () => {
    const controller = new AbortController()
    const listening = () => getEventListeners(controller.signal, 'abort').length
    runtime.spawn(bash(':', { signal: controller.signal }))
    const counts = [listening()]
    runtime.driver.settle()
    counts.push(listening())
    runtime.driver.events.quiescent()
    counts.push(listening())
    controller.abort()
    expect({ counts, calls: runtime.driver.calls }).toEqual({ counts: [1, 1, 0], calls: [] })
  })

  it('is let go of when the start failed', () => {
    const controller = new AbortController()
    runtime.spawn(bash(':', { signal: controller.signal }))
    runtime.driver.events.failed(new Error('no'))
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })
})

describe('waitForExit', () => {
  it('is true for an empty range even when its signal has aborted', async () => {
    const handle = runtime.spawn(bash(':'))
    runtime.driver.settle({ quiescent: true })
    expect(await handle.waitForExit(AbortSignal.abort())).toBe(true)
  })

  it('is false when its signal has aborted or aborts first, and stops nothing', async () => {
    const handle = runtime.spawn(bash(':'))
    const controller = new AbortController()
    const waits = [handle.waitForExit(AbortSignal.abort()), handle.waitForExit(controller.signal)]
    controller.abort()
    expect({ waits: await Promise.all(waits), calls: runtime.driver.calls }).toEqual({
      waits: [false, false],
      calls: []
    })
  })

  it('leaves no listener on its signal', async () => {
    const handle = runtime.spawn(bash(':'))
    const controller = new AbortController()
    const wait = handle.waitForExit(controller.signal)
    runtime.driver.events.quiescent()
    expect({ empty: await wait, listeners: getEventListeners(controller.signal, 'abort') }).toEqual({
      empty: true,
      listeners: []
    })
  })

  it('rejects when emptiness cannot be observed any more, then and later', async () => {
    const handle = runtime.spawn(bash(':'))
    const lost = new Error('the manager is gone')
    const wait = handle.waitForExit()
    runtime.driver.events.unobservable(lost)
    const results = await Promise.allSettled([wait, handle.waitForExit()])
    expect(results).toEqual([
      { status: 'rejected', reason: lost },
      { status: 'rejected', reason: lost }
    ])
    // What can still be seen has gone, which proves nothing about the rest.
    runtime.driver.events.quiescent()
    await expect(handle.waitForExit()).rejects.toBe(lost)
    expect(handle.facts.quiescent).toBe(false)
  })
})

describe('a start that failed', () => {
  it('has no pid, no output, nothing to end and nothing to wait for', async () => {
    const handle = runtime.spawn(bash(':'))
    const failure = new Error('no such file')
    const { driver } = runtime
    driver.source.ended = true
    driver.events.failed(failure)
    handle.terminate()
    expect({
      pid: handle.pid,
      done: await handle.done.catch((error: unknown) => error),
      empty: await handle.waitForExit(),
      read: handle.collected.stdout?.readFrom(0),
      facts: handle.facts,
      calls: driver.calls
    }).toEqual({
      pid: -1,
      done: failure,
      empty: true,
      read: { text: '', nextOffset: 0, lossy: false },
      facts: { range: 'group', cause: null, quiescent: true, usage: null },
      calls: []
    })
  })

  it('is no unhandled rejection when nobody looks at it', async () => {
    const seen: unknown[] = []
    const listener = (reason: unknown) => seen.push(reason)
    process.on('unhandledRejection', listener)
    runtime.spawn(bash(':'))
    runtime.driver.events.failed(new Error('nobody looks'))
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
    process.off('unhandledRejection', listener)
    expect(seen).toEqual([])
  })
})

describe('the command that is prepared', () => {
  it('has its environment, its defaults, and argv of its own', () => {
    const argv = ['bash', '-c', ':']
    runtime.spawn({ ...bash(':', { env: { ONLY: 'this' }, stdio: { control: 'pipe' } }), argv })
    argv[2] = 'changed later'
    const { prepared } = runtime.driver
    expect({
      argv: prepared.argv,
      leftovers: prepared.leftovers,
      only: prepared.environment.get('ONLY'),
      control: prepared.environment.get('QUIESCE_CONTROL_FD'),
      path: prepared.environment.get('PATH')
    }).toEqual({ argv: ['bash', '-c', ':'], leftovers: 'keep', only: 'this', control: '7', path: process.env.PATH })
  })
})
