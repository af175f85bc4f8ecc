import * as fs from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { bash } from '../specs.js'
import { ScriptedRuntime } from './scripted-runtime.js'

async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => null,
    (error: unknown) => error
  )
}

describe('disposal', () => {
  it('terminates everything at once and waits for settlement and emptiness of each', async () => {
    const runtime = new ScriptedRuntime()
    runtime.spawn(bash(':'))
    runtime.spawn(bash(':'))
    const [first, second] = runtime.drivers
    let disposed = false
    const disposal = runtime.dispose().then(() => {
      disposed = true
    })
    const calls = runtime.drivers.map((driver) => [...driver.calls])
    const states: boolean[] = []
    const turn = async () => {
      await new Promise((resolve) => setImmediate(resolve))
      states.push(disposed)
    }
    first?.settle({ quiescent: true })
    await turn()
    second?.events.quiescent()
    await turn()
    second?.settle({ quiescent: true })
    await disposal
    expect({ calls, states, log: runtime.log }).toEqual({
      calls: [['terminate'], ['terminate']],
      states: [false, false],
      log: ['close']
    })
  })

  it('ends what a settled command has left, and not what is empty', async () => {
    const runtime = new ScriptedRuntime()
    runtime.spawn(bash(':'))
    runtime.driver.settle()
    runtime.driver.onTerminate = () => runtime.drivers[0]?.events.quiescent()
    runtime.spawn(bash(':'))
    runtime.driver.settle({ quiescent: true })
    await runtime.dispose()
    expect(runtime.drivers.map(({ calls }) => calls)).toEqual([['terminate'], []])
  })

  it('is done once, whoever asks, and lets nothing start afterwards', async () => {
    const runtime = new ScriptedRuntime()
    runtime.spawn(bash(':'))
    runtime.driver.obeys()
    const both = [runtime.dispose(), runtime[Symbol.asyncDispose]()]
    expect(() => runtime.spawn(bash(':'))).toThrow('cannot spawn: the subprocess runtime has been disposed')
    await Promise.all([...both, runtime.dispose()])
    expect({ calls: runtime.driver.calls, log: runtime.log }).toEqual({ calls: ['terminate'], log: ['close'] })
  })

  it('rethrows a single failure unchanged, kills the rest by force, and still closes', async () => {
    const runtime = new ScriptedRuntime()
    const lost = new Error('unobservable')
    for (let index = 0; index < 3; index += 1) runtime.spawn(bash(':'))
    const [good, bad, other] = runtime.drivers
    good?.obeys()
    other?.obeys()
    if (bad) bad.onTerminate = () => bad.events.unobservable(lost)
    const ended = failureOf(runtime.dispose())
    bad?.settle()
    expect({ error: await ended, calls: runtime.drivers.map(({ calls }) => calls), log: runtime.log }).toEqual({
      error: lost,
      calls: [['terminate'], ['terminate', 'kill'], ['terminate']],
      log: ['close']
    })
  })

  it('makes one error of several failures', async () => {
    const runtime = new ScriptedRuntime()
    const failures = [new Error('one'), new Error('two'), new Error('three')]
    for (const failure of failures.slice(0, 2)) {
      runtime.spawn(bash(':'))
      runtime.driver.onTerminate = () => {
        throw failure
      }
    }
    runtime.closing = () => {
      throw failures[2]
    }
    const error = (await failureOf(runtime.dispose())) as AggregateError
    for (const driver of runtime.drivers) driver.settle({ quiescent: true })
    expect({ type: error.constructor, message: error.message, errors: error.errors }).toEqual({
      type: AggregateError,
      message: 'local subprocess teardown failed',
      errors: failures
    })
  })

  it('does not count a command that could not be started', async () => {
    const runtime = new ScriptedRuntime()
    runtime.spawn(bash(':'))
    const disposal = runtime.dispose()
    runtime.driver.events.failed(new Error('no such program'))
    expect(await failureOf(disposal)).toBe(null)
  })
})

describe('spill files', () => {
  function runtimeWithSpills(...names: string[]) {
    const runtime = new ScriptedRuntime()
    fs.mkdirSync(runtime.spills.path, { mode: 0o700 })
    const paths = names.map((name) => join(runtime.spills.path, name))
    for (const path of paths) fs.writeFileSync(path, 'spilled')
    return { runtime, paths }
  }

  it('go with the runtime, and their folder too', async () => {
    const { runtime } = runtimeWithSpills('a', 'b')
    await runtime.dispose()
    expect(fs.existsSync(runtime.spills.path)).toBe(false)
  })

  it('stay when they were claimed, with the others gone', async () => {
    const { runtime, paths } = runtimeWithSpills('a', 'b')
    const claimed = [runtime.claimSpill(paths[1] ?? ''), runtime.claimSpill(paths[1] ?? '')]
    await runtime.dispose()
    const left = fs.readdirSync(runtime.spills.path)
    fs.rmSync(runtime.spills.path, { recursive: true })
    expect({ claimed, left }).toEqual({ claimed: [true, true], left: ['b'] })
  })

  it('can be claimed only if they are some', async () => {
    const { runtime } = runtimeWithSpills()
    const { path } = runtime.spills
    const claims = ['/etc/passwd', path, join(path, 'nothing'), join(path, '..', 'x'), ''].map((candidate) =>
      runtime.claimSpill(candidate)
    )
    await runtime.dispose()
    expect(claims).toEqual([false, false, false, false, false])
  })

  it('are not named by readers any more once they are gone', async () => {
    const { runtime, paths } = runtimeWithSpills('a', 'b')
    const handles = paths.map((path) => {
      const handle = runtime.spawn(bash(':'))
      runtime.driver.obeys().source.spillPath = path
      return handle
    })
    runtime.claimSpill(paths[1] ?? '')
    const read = () => handles.map(({ collected }) => collected.stdout?.readFrom(0).spillPath)
    const before = read()
    await runtime.dispose()
    fs.rmSync(runtime.spills.path, { recursive: true })
    expect([before, read()]).toEqual([paths, [undefined, paths[1]]])
  })
})
