import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { LocalTerminal } from '../../../src/subprocess/local/terminal-driver.js'
import { ScriptedRuntime } from './scripted-runtime.js'

const spec = { argv: ['program'], cwd: '/', rows: 1, cols: 1, graceMs: 1000 }

/** A terminal whose first ends fail, as many as told. */
class ScriptedTerminal implements LocalTerminal {
  readonly pid = 4711
  readonly range = 'group'
  readonly output = new PassThrough()
  readonly done = new Promise<never>(() => {})
  quiescent = false
  readonly calls: string[] = []
  #isOver: () => void = () => {}
  readonly over = new Promise<void>((resolve) => {
    this.#isOver = resolve
  })

  constructor(public failures = 0) {}

  write = async (): Promise<void> => {}
  resize = (): void => {}
  inspectForeground = (): undefined => undefined
  signalForeground = (): number => 1
  kill(): void {
    this.calls.push('kill')
  }

  async terminate(): Promise<void> {
    this.calls.push('terminate')
    if (this.failures > 0) {
      this.failures -= 1
      throw new Error('terminal cleanup failed; surviving pid(s): 4711')
    }
    this.quiescent = true
    this.#isOver()
  }
}

describe('terminals of a local runtime', () => {
  it('get the scrubbed environment, and a terminal without abilities unless they name one', async () => {
    const runtime = new ScriptedRuntime()
    runtime.terminal = async () => new ScriptedTerminal()
    await runtime.spawnTerminal({ ...spec, env: { WORD: 'x' } })
    await runtime.spawnTerminal({ ...spec, env: { TERM: 'vt100' } })
    expect(runtime.terminals.map(({ environment }) => [environment.get('TERM'), environment.get('WORD')])).toEqual([
      ['dumb', 'x'],
      ['vt100', undefined]
    ])
    await runtime.dispose()
  })

  it('that arrive after their caller has cancelled are ended', async () => {
    const runtime = new ScriptedRuntime()
    const late = new ScriptedTerminal()
    let arrive = (): void => {}
    runtime.terminal = () => new Promise((resolve) => (arrive = () => resolve(late)))
    const stop = new AbortController()
    const asked = runtime.spawnTerminal({ ...spec, signal: stop.signal })
    stop.abort(new Error('no longer'))
    await expect(asked).rejects.toThrow('no longer')
    arrive()
    await late.over
    expect(late.calls).toEqual(['terminate'])
    await runtime.dispose()
  })

  it('that arrive during the disposal are ended by it', async () => {
    const runtime = new ScriptedRuntime()
    const late = new ScriptedTerminal()
    let arrive = (): void => {}
    runtime.terminal = () => new Promise((resolve) => (arrive = () => resolve(late)))
    const asked = runtime.spawnTerminal(spec)
    const disposal = runtime.dispose()
    arrive()
    await expect(asked).rejects.toThrow('the subprocess runtime has been disposed')
    await disposal
    expect(late.quiescent).toBe(true)
  })

  it('that could not be ended are tried again by the disposal, and killed by it if that fails too', async () => {
    const runtime = new ScriptedRuntime()
    const once = new ScriptedTerminal(1)
    const always = new ScriptedTerminal(9)
    const queue = [once, always]
    runtime.terminal = async () => queue.shift() as LocalTerminal
    const handle = await runtime.spawnTerminal(spec)
    await runtime.spawnTerminal(spec)
    await expect(handle.terminate()).rejects.toThrow('surviving pid(s): 4711')
    await expect(runtime.dispose()).rejects.toThrow('surviving pid(s): 4711')
    expect([once.calls, always.calls]).toEqual([
      ['terminate', 'terminate'],
      ['terminate', 'kill']
    ])
  })
})
