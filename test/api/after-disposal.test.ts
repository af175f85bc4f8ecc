// Every public method after the context has been disposed, and from within the library's own callbacks.

import { describe, expect, it } from 'vitest'
import * as api from '../../src/index.js'
import { loadAddon } from '../../src/native/load.js'
import { feature } from '../setup/features.js'
import { until } from '../subprocess/behaviour/observe.js'
import { errorOf } from './documented-error.js'

const spec: api.SubprocessSpawnSpec = {
  argv: ['bash', '-c', 'echo up; exec sleep 300.79'],
  cwd: '/',
  graceMs: 2000,
  stdio: { stdin: 'pipe', stdout: 'pipe', stderr: { maxBytes: 100 } }
}

const providers: readonly api.ProviderChoice[] = ['node', 'native']

describe.each(providers)('on %s', (provider) => {
  const test = provider === 'native' ? feature('the native addon', () => loadAddon() && true) : it
  const make = (): Promise<api.Context> => api.createContext({ subprocess: { provider } })

  test('after the disposal nothing starts, and what was is told as it was', async () => {
    const context = await make()
    const { shell, subprocess } = context
    const ended = await shell.execute(shell.resolve({ command: 'echo out; echo err >&2; exit 3' }))
    const result = await ended.result()
    const running = await shell.execute(shell.resolve({ command: 'sleep 300.79', onExpiry: 'none' }))
    const raw = subprocess.spawn(spec)
    raw.stdin?.on('error', () => {})
    await context.dispose()
    await Promise.all([context.dispose(), subprocess.dispose(), context[Symbol.asyncDispose]()])

    const refused = { message: 'cannot spawn: the subprocess runtime has been disposed' }
    expect(await errorOf(() => subprocess.spawn(spec))).toMatchObject(refused)
    expect(await errorOf(() => shell.run({ command: 'true' }))).toMatchObject(refused)
    const unstarted = await shell.execute(shell.resolve({ command: 'true' }))
    expect([unstarted.status, unstarted.kill(), await unstarted.waitForExit()]).toEqual(['killed', false, true])
    expect(unstarted.readOutput().delta).toContain(refused.message)

    expect(await ended.result()).toBe(result)
    expect([ended.exitCode, ended.kill(), await ended.waitForExit()]).toEqual([3, false, true])
    expect(ended.readOutput().delta).toBe('out\n[stderr]\nerr\n')
    expect(ended.observed.stdout.readFrom(1).text).toBe('ut\n')
    expect(await running.result()).toMatchObject({ aborted: true, timedOut: false, quiescent: true })
    expect([running.status, running.kill(), await running.waitForExit()]).toEqual(['killed', false, true])
    raw.terminate()
    expect(raw.facts).toMatchObject({ cause: 'terminate', quiescent: true })
    expect([raw.stdin?.destroyed, raw.stdin?.write('late')]).toEqual([true, false])
    expect(subprocess.claimSpill('/nowhere')).toBe(false)
    expect(await subprocess.resolveExecutable('bash')).toMatch(/^\/.*\/bash$/)
    expect(subprocess.range.kind).toBeTypeOf('string')
  })

  test('live settings may fail or use the shell, and the next request is as any other', async () => {
    await using context = await make()
    let answer = (): api.ShellSettingsInput => ({})
    const shell = new api.LocalBashExecutor({ subprocess: context.subprocess, settings: () => answer() })
    const failure = new Error('no settings today')
    answer = () => {
      throw failure
    }
    expect(await errorOf(() => shell.run({ command: 'true' }))).toBe(failure)
    let nested: Promise<api.ShellRunResult> | undefined
    answer = () => {
      answer = () => ({ timeoutMs: 7000 })
      nested = shell.run({ command: 'echo nested' })
      return { timeoutMs: 8000 }
    }
    const outer = await shell.run({ command: 'echo outer' })
    const inner = await nested
    expect([outer.stdout.text, outer.timeoutMs, inner?.stdout.text, inner?.timeoutMs]).toEqual([
      'outer\n',
      8000,
      'nested\n',
      7000
    ])
  })

  test('what listens to data, to the end, to an abort and to closed streams may call everything', async () => {
    const context = await make()
    const { shell, subprocess } = context
    const controller = new AbortController()
    const seen: string[] = []
    const note = (word: string): void => void seen.push(word)

    const raw = subprocess.spawn({ ...spec, signal: controller.signal })
    raw.stdin?.on('error', () => {})
    controller.signal.addEventListener('abort', () => {
      raw.terminate()
      raw.stdin?.end('late')
      try {
        subprocess.spawn({ ...spec, signal: controller.signal })
      } catch (error) {
        note((error as Error).message)
      }
      void raw.waitForExit(controller.signal).then((empty) => note(`abandoned ${empty}`))
    })
    raw.stdout?.once('data', () => {
      raw.stdin?.write('more')
      controller.abort('enough')
      raw.terminate()
    })
    raw.stdout?.once('close', () => {
      void shell.run({ command: 'echo from close' }).then(({ stdout }) => note(stdout.text))
    })
    expect(await raw.done).toEqual({ exitCode: null, signal: 'SIGTERM' })
    await until(() => seen.length === 3)
    expect(seen.sort()).toEqual(['abandoned false', 'aborted before spawn: enough', 'from close\n'])

    const execution = await shell.execute(shell.resolve({ command: 'echo last' }))
    const disposal = execution.done.then(async () => {
      expect([execution.kill(), execution.readOutput().delta]).toEqual([false, 'last\n'])
      await context.dispose()
      return execution.result()
    })
    expect(await disposal).toMatchObject({ exitCode: 0, aborted: false })
    expect(await errorOf(() => subprocess.spawn(spec))).toMatchObject({ message: expect.stringContaining('disposed') })
  })

  test('a call from within an abort listener of the same signal, and two disposals in mid-spawn, leave nothing', async () => {
    const context = await make()
    const controller = new AbortController()
    const requests = Array.from({ length: 5 }, () =>
      context.shell.run({ command: 'sleep 300.79', signal: controller.signal }).catch((error: unknown) => error)
    )
    controller.signal.addEventListener('abort', () => void context.dispose())
    controller.abort()
    await context.dispose()
    for (const ended of await Promise.all(requests)) {
      // Whatever had been started was ended; the rest was never started.
      expect(ended).toSatisfy(
        (value: unknown) => value instanceof Error || (value as api.ShellRunResult).aborted === true
      )
    }
  })
})
