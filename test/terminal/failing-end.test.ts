import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import type { SubprocessTerminalHandle } from '../../src/subprocess/terminal-types.js'
import { LocalTerminalRegistry } from '../../src/terminal/local-registry.js'
import { ScriptedRuntime } from '../fixtures/shell/scripted-runtime.js'

/** A runtime whose terminals cannot be ended the first time. */
class StubbornRuntime extends ScriptedRuntime {
  ends = 0

  override async spawnTerminal(): Promise<never> {
    const output = new PassThrough()
    let exit = (_: { exitCode: number; signal: null }): void => {}
    const done = new Promise<{ exitCode: number; signal: null }>((resolve) => {
      exit = resolve
    })
    const handle: SubprocessTerminalHandle = {
      ...{ pid: 4711, range: 'group', output, done, quiescent: false, resize: () => {} },
      write: async () => {},
      inspectForeground: () => ({ processGroupId: 4711, inputWaiting: true }),
      signalForeground: () => 4711,
      terminate: async () => {
        this.ends += 1
        if (this.ends === 1) throw new Error('terminal cleanup failed; surviving pid(s): 4711')
        output.end()
        exit({ exitCode: 0, signal: null })
      }
    }
    return handle as never
  }
}

const backends = [
  { name: 'silent', launch: () => ({ argv: ['program'], env: {} }) },
  { name: 'prompting', launch: () => ({ argv: ['program'], env: {}, prompt: '> ' }) }
]

describe('a terminal that cannot be ended', () => {
  it('stays, and can be closed again', async () => {
    const runtime = new StubbornRuntime()
    const terminals = new LocalTerminalRegistry({ subprocess: runtime, backends })
    const { id } = await terminals.open({ backend: 'silent' })
    await expect(terminals.close({ id })).rejects.toThrow('surviving pid(s): 4711')
    expect(terminals.list().map((one) => one.id)).toEqual([id])
    await terminals.close({ id })
    expect({ left: terminals.list(), ends: runtime.ends }).toEqual({ left: [], ends: 2 })
    await terminals.dispose()
  })

  it('and was never usable is an error of its own, with both causes', async () => {
    const terminals = new LocalTerminalRegistry({
      subprocess: new StubbornRuntime(),
      backends,
      timings: { sendTimeoutMs: 100 }
    })
    const error = await terminals.open({ backend: 'prompting' }).catch((failure: unknown) => failure)
    expect(error).toMatchObject({
      code: 'CLEANUP_FAILED',
      cause: {
        errors: [
          { message: 'the terminal showed no prompt within 100 ms' },
          { message: expect.stringContaining('surviving') }
        ]
      }
    })
    await terminals.dispose()
  })
})
