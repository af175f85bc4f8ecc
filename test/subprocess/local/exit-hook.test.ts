import * as fs from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bash } from '../specs.js'
import { ScriptedRuntime } from './scripted-runtime.js'

type ExitListener = (code: number) => void

/** The listener that runs first at exit. */
function firstListener(): ExitListener {
  return process.listeners('exit')[0] as ExitListener
}

describe('the exit hook', () => {
  it('is one listener for all runtimes, before others, from the first command to the last disposal', async () => {
    const count = () => process.listenerCount('exit')
    const warnings: Error[] = []
    const onWarning = (warning: Error) => warnings.push(warning)
    process.on('warning', onWarning)
    const before = count()
    const other = () => {}
    process.on('exit', other)
    const runtimes = Array.from({ length: 50 }, () => new ScriptedRuntime())
    const constructed = count()
    for (const runtime of runtimes) {
      runtime.spawn(bash(':'))
      runtime.driver.obeys()
    }
    const spawned = count()
    const first = firstListener()
    for (const runtime of runtimes.slice(1)) await runtime.dispose()
    const oneLeft = process.listeners('exit').includes(first)
    await runtimes[0]?.dispose()
    process.off('exit', other)
    await new Promise((resolve) => setImmediate(resolve))
    process.off('warning', onWarning)
    expect({ constructed, spawned, isOther: first === other, oneLeft, after: count(), warnings }).toEqual({
      constructed: before + 1,
      spawned: before + 2,
      isOther: false,
      oneLeft: true,
      after: before,
      warnings: []
    })
  })

  it('stays while a disposal is under way', async () => {
    const runtime = new ScriptedRuntime()
    runtime.spawn(bash(':'))
    const hook = firstListener()
    const disposal = runtime.dispose()
    hook(0)
    const { calls } = runtime.driver
    runtime.driver.settle({ quiescent: true })
    await disposal
    expect({ calls, hooked: process.listeners('exit').includes(hook as never) }).toEqual({
      calls: ['terminate', 'kill'],
      hooked: false
    })
  })

  it('kills in every runtime although targets fail, removes spill files, and lets nothing start then', async () => {
    const runtimes = [new ScriptedRuntime(), new ScriptedRuntime()]
    for (const runtime of runtimes) {
      for (let index = 0; index < 2; index += 1) {
        runtime.spawn(bash(':'))
        runtime.driver.onKill = () => {
          throw new Error('cannot be killed')
        }
      }
      fs.mkdirSync(runtime.spills.path)
    }
    firstListener()(0)
    const seen = runtimes.map(({ drivers, log, spills }) => ({
      calls: drivers.map(({ calls }) => calls),
      log: [...log],
      spills: fs.existsSync(spills.path)
    }))
    expect(() => runtimes[0]?.spawn(bash(':'))).toThrow('cannot spawn: the host process is exiting')
    for (const runtime of runtimes) {
      for (const driver of runtime.drivers) driver.settle({ quiescent: true })
      await runtime.dispose()
    }
    const expected = { calls: [['kill'], ['kill']], log: ['closeSync'], spills: false }
    expect(seen).toEqual([expected, expected])
  })
})
