import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeEach, describe, expect } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import { type BashTool, bashTool, callTool, type ToolCall } from '../../src/tool/index.js'
import { providers, testOn } from '../fixtures/shell/providers.js'
import { sessionIn } from '../fixtures/tool/sessions.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-tool-')))
mkdirSync(join(folder, 'below'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const aborted = { name: 'AbortError', code: 'ABORTED', message: 'tool call aborted' }
const failure = (error: unknown) => error

describe.each(providers)('a foreground command without jobs on %o', (subprocess) => {
  const test = testOn(subprocess)
  let context: Context
  let bash: BashTool
  const run = (command: string, more: object = {}, call?: ToolCall) =>
    bash.execute({ command, description: 'test', ...more }, call)

  beforeEach(async () => {
    context = await createContext({ cwd: folder, subprocess, shell: { graceMs: 500, maxOutputBytes: 1_000 } })
    bash = bashTool({ shell: context.shell })
  })
  afterEach(() => context.dispose())

  test('gives the whole output as data and as text', async () => {
    const output = await run('printf out; printf err >&2; exit 3')
    expect(output).toEqual({
      ...{ kind: 'foreground', exitCode: 3, signal: null, timedOut: false, aborted: false, timeoutMs: 120_000 },
      stdout: { text: 'out', truncated: false, totalBytes: 3 },
      stderr: { text: 'err', truncated: false, totalBytes: 3 }
    })
    expect(bash.render(output)).toBe('out\n[stderr]\nerr\n[exit code: 3]')
    expect(bash.outputSchema.parse(output)).toEqual(output)
  })

  test('names the file with the whole of what overflowed', async () => {
    const output = await run('head -c 5000 /dev/zero | tr "\\0" x; echo end >&2')
    if (output.kind !== 'foreground') throw new Error(output.kind)
    const { spillPath = '' } = output.stdout
    expect(readFileSync(spillPath, 'utf8')).toBe('x'.repeat(5000))
    expect(bash.render(output)).toBe(
      `${'x'.repeat(1000)}\n[stderr]\nend\n[output truncated; full output: ${spillPath}]`
    )
  })

  test('that fails, dies by a signal or meets its deadline is a result', async () => {
    expect(await run('kill -SEGV $$')).toMatchObject({ exitCode: null, signal: 'SIGSEGV', timedOut: false })
    expect(await run('exit 200')).toMatchObject({ exitCode: 200, signal: null })
    const marker = sleepMarker()
    const late = await run(`echo before; sleep ${marker}`, { timeoutMs: 1_000 })
    expect(late).toMatchObject({ kind: 'foreground', timedOut: true, timeoutMs: 1_000, signal: 'SIGTERM' })
    expect(bash.render(late)).toBe('before\n[timed out after 1000ms]\n[killed by signal: SIGTERM]')
    await until(() => running(marker).length === 0)
  })

  test('runs in its workdir: of the executor, of the session, below it, or absolute', async () => {
    const pwd = async (more: object, call?: ToolCall) => bash.render(await run('pwd', more, call)).trim()
    const call = { session: sessionIn(join(folder, 'below')) }
    expect(await pwd({})).toBe(folder)
    expect(await pwd({ workdir: 'below' })).toBe(join(folder, 'below'))
    expect(await pwd({}, call)).toBe(join(folder, 'below'))
    expect(await pwd({ workdir: '..' }, call)).toBe(folder)
    expect(await pwd({ workdir: '/' }, call)).toBe('/')
    expect(await pwd({}, { session: { id: 's1' } })).toBe(folder)
  })

  test('that cannot be started is an error that names the step', async () => {
    const missing = await run(':', { workdir: 'nowhere' }).catch(failure)
    expect(missing).toMatchObject({
      name: 'SubprocessError',
      stage: 'chdir',
      code: 'ENOENT',
      path: `${folder}/nowhere`
    })
    const result = await callTool(bash, { command: ':', description: 'x', workdir: 'nowhere' })
    const body = expect.stringContaining('nowhere')
    expect(result).toEqual({
      ...{ text: body, isError: true },
      presentation: { kind: 'generic', title: 'bash', body, isError: true }
    })
  })

  test('ends with the call, and the call with it', async () => {
    const controller = new AbortController()
    const marker = sleepMarker()
    const call = run(`sleep ${marker} & sleep ${marker}`, {}, { signal: controller.signal }).catch(failure)
    await until(() => running(marker).length === 2)
    controller.abort(new Error('enough'))
    expect(await call).toMatchObject({ ...aborted, cause: { message: 'enough' } })
    expect(running(marker)).toEqual([])
  })

  test('that leaves something that traps TERM is over as a whole when the call rejects', async () => {
    const controller = new AbortController()
    const marker = sleepMarker()
    const command = `(trap "" TERM; sleep ${marker}; exit) & trap "exit 0" TERM; wait`
    const call = run(command, {}, { signal: controller.signal }).catch(failure)
    await until(() => running(marker).length === 1)
    controller.abort()
    expect(await call).toMatchObject(aborted)
    expect(running(marker)).toEqual([])
  })

  test('is not run where the call was ended before', async () => {
    const signal = AbortSignal.abort(new Error('early'))
    const early = await run('echo ran > ran', {}, { signal }).catch(failure)
    expect(early).toMatchObject({ ...aborted, cause: { message: 'early' } })
    await expect(callTool(bash, { command: ':', description: 'x' }, { signal })).rejects.toMatchObject(aborted)
    expect(await run('cat ran')).toMatchObject({ exitCode: 1 })
  })

  test('that the host has ended is an error too, and no result with half an output', async () => {
    const marker = sleepMarker()
    const call = run(`sleep ${marker}`).catch(failure)
    await until(() => running(marker).length === 1)
    await context.dispose()
    expect(await call).toMatchObject(aborted)
  })

  test('leaves no listener on the signal of its call', async () => {
    const { signal } = new AbortController()
    const listeners = new Set<unknown>()
    const counted = new Proxy(signal, {
      get(target, name) {
        if (name === 'addEventListener') return (_: string, listener: unknown) => listeners.add(listener)
        if (name === 'removeEventListener') return (_: string, listener: unknown) => listeners.delete(listener)
        return Reflect.get(target, name, target)
      }
    })
    await run('true', {}, { signal: counted })
    await until(() => listeners.size === 0)
  })

  test('keeps apart what calls at the same time print', async () => {
    const outputs = await Promise.all([1, 2, 3, 4].map((n) => run(`echo ${n}; sleep 0.1; echo ${n}`)))
    expect(outputs.map((output) => bash.render(output))).toEqual([1, 2, 3, 4].map((n) => `${n}\n${n}\n`))
  })

  test('gets the result of callTool with everything that an adapter needs', async () => {
    const result = await callTool(bash, { command: 'echo hi; exit 1', description: 'greet' })
    expect(result).toEqual({
      ...{ text: 'hi\n[exit code: 1]', isError: false },
      output: expect.objectContaining({ kind: 'foreground', exitCode: 1 }),
      presentation: { kind: 'terminal', title: 'greet', body: 'hi\n', pill: 'exit 1', isError: false }
    })
  })
})
