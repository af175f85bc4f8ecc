import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import type { PreparedCommand } from '../../src/shell/bash-command.js'
import { LocalBashExecutor } from '../../src/shell/local-bash.js'
import type { Preparation } from '../../src/shell/preparation.js'
import type { ShellExecRequest, ShellExecSpec, ShellExecution } from '../../src/shell/types.js'
import { ScriptedRuntime } from '../fixtures/shell/scripted-runtime.js'

/** Its preparation ends when the test says so. */
class HeldExecutor extends LocalBashExecutor {
  preparing: Preparation | undefined
  resolvePreparation!: (command: PreparedCommand) => void
  rejectPreparation!: (error: unknown) => void

  protected override prepare(_spec: ShellExecSpec, preparation: Preparation): Promise<PreparedCommand> {
    this.preparing = preparation
    return new Promise((resolve, reject) => {
      this.resolvePreparation = resolve
      this.rejectPreparation = reject
    })
  }
}

function hold(request: Partial<ShellExecRequest>) {
  const runtime = new ScriptedRuntime()
  const shell = new HeldExecutor({ subprocess: runtime, cwd: '/repo' })
  const execution: Promise<ShellExecution> = shell.execute(shell.resolve({ command: ':', ...request }))
  return { runtime, shell, execution }
}

const wrapped: PreparedCommand = { argv: ['confine', 'bash', '-c', ':'] }
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('preparation', () => {
  it('counts against the deadline, and its argv is what is spawned', async () => {
    const { runtime, shell, execution } = hold({ timeoutMs: 60_000 })
    const from = performance.now()
    while (performance.now() - from < 5);
    shell.resolvePreparation(wrapped)
    await execution
    expect(runtime.spawned).toEqual([expect.objectContaining({ argv: wrapped.argv })])
    expect(runtime.spawned[0]?.deadlineMs).toBeLessThanOrEqual(59_995)
    expect(runtime.spawned[0]?.deadlineMs).toBeGreaterThan(50_000)
  })

  it('gives an already settled execution when the deadline passes in it, and never spawns afterwards', async () => {
    const { runtime, shell, execution: pending } = hold({ timeoutMs: 20 })
    const execution = await pending
    expect(shell.preparing?.signal.reason).toMatchObject({ code: 'BASH_TIMEOUT' })
    shell.resolvePreparation(wrapped)
    await execution.done
    await turn()
    expect(await execution.result()).toEqual({
      exitCode: null,
      signal: null,
      timedOut: true,
      aborted: false,
      timeoutMs: 20,
      quiescent: true,
      range: 'group',
      usage: null,
      stdout: { text: '', truncated: false, totalBytes: 0 },
      stderr: { text: '', truncated: false, totalBytes: 0 }
    })
    expect(await execution.result()).toBe(await execution.result())
    expect([execution.status, execution.exitCode, execution.signal, execution.kill()]).toEqual([
      'killed',
      null,
      null,
      false
    ])
    expect(execution.readOutput()).toEqual({ delta: '', lossy: false })
    expect(execution.observed.stdout.readFrom(7)).toEqual({ text: '', nextOffset: 0, lossy: false })
    expect(runtime.spawned).toEqual([])
  })

  it('has expired when a busy event loop delivers it after the deadline', async () => {
    const { runtime, shell, execution } = hold({ timeoutMs: 10 })
    shell.resolvePreparation(wrapped)
    const from = performance.now()
    while (performance.now() - from < 15);
    expect(await (await execution).result()).toMatchObject({ timedOut: true, exitCode: null })
    expect(runtime.spawned).toEqual([])
  })

  it('has no deadline with onExpiry none', async () => {
    const { runtime, shell, execution } = hold({ timeoutMs: 5, onExpiry: 'none' })
    await new Promise((resolve) => setTimeout(resolve, 15))
    shell.resolvePreparation(wrapped)
    await execution
    expect(runtime.spawned).toEqual([expect.objectContaining({ deadlineMs: undefined })])
  })

  it('is cancelled by the signal of the caller: execute rejects with its reason and nothing is spawned later', async () => {
    const controller = new AbortController()
    const { runtime, shell, execution } = hold({ signal: controller.signal })
    const reason = new Error('stop')
    const rejected = expect(execution).rejects.toBe(reason)
    const { preparing } = shell
    const seen = preparing?.signal
    controller.abort(reason)
    await rejected
    expect(seen?.reason).toBe(reason)
    shell.resolvePreparation(wrapped)
    await turn()
    expect(runtime.spawned).toEqual([])
  })

  it('is cancelled also by an abort between its end and the spawn', async () => {
    const controller = new AbortController()
    const reason = new Error('stop')
    const { runtime, shell, execution } = hold({ signal: controller.signal })
    shell.resolvePreparation(wrapped)
    queueMicrotask(() => controller.abort(reason))
    await expect(execution).rejects.toBe(reason)
    expect(runtime.spawned).toEqual([])
  })

  it('leaves no listener on the signal of the caller and no timer when it is over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { signal } = new AbortController()
      const { shell, execution } = hold({ signal, timeoutMs: 60_000 })
      const held = { listeners: getEventListeners(signal, 'abort').length, timers: vi.getTimerCount() }
      shell.resolvePreparation(wrapped)
      await execution
      const left = { listeners: getEventListeners(signal, 'abort').length, timers: vi.getTimerCount() }
      expect({ held, left }).toEqual({ held: { listeners: 1, timers: 1 }, left: { listeners: 0, timers: 0 } })
    } finally {
      vi.useRealTimers()
    }
  })

  it('that fails is a rejection of execute, also when it fails late and nobody listens any more', async () => {
    const failed = hold({})
    failed.shell.rejectPreparation(new Error('no sandbox'))
    await expect(failed.execution).rejects.toThrow('no sandbox')

    const late = hold({ timeoutMs: 10 })
    const execution = await late.execution
    late.shell.rejectPreparation(new Error('too late'))
    await turn()
    expect(await execution.result()).toMatchObject({ timedOut: true })
  })

  it('costs a plain bash executor no turn of the event loop: the spawn happens inside execute', () => {
    const runtime = new ScriptedRuntime()
    const shell = new LocalBashExecutor({ subprocess: runtime })
    void shell.execute(shell.resolve({ command: ':' }))
    expect(runtime.spawned).toHaveLength(1)
  })
})
