// Every public method with every wrong kind of value: an error that names it, and nothing has happened.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as api from '../../src/index.js'
import { loadAddon } from '../../src/native/load.js'
import { feature } from '../setup/features.js'
import { errorOf, expectEachRefused, isRevoked } from './documented-error.js'
import { type Row, request, rows, spec } from './method-table.js'
import { allBut, refusal, turning, withThrowingField } from './wrong-values.js'

const providers: readonly api.ProviderChoice[] = ['node', 'native']

describe.each(providers)('a wrong value on %s', (provider) => {
  const test = provider === 'native' ? feature('the native addon', () => loadAddon() && true) : it
  let context: api.Context
  let execution: api.ShellExecution
  let raw: api.SubprocessHandle

  beforeAll(async () => {
    context = await api.createContext({ subprocess: { provider } })
    execution = await context.shell.execute(context.shell.resolve({ command: 'sleep 300.77', onExpiry: 'none' }))
    raw = context.subprocess.spawn({
      ...spec,
      argv: ['cat'],
      stdio: { stdin: 'pipe', stdout: { maxBytes: 100 }, stderr: 'ignore' }
    })
  })
  afterAll(async () => {
    await context.dispose()
  })

  /** As before: what runs still runs, and what is asked for now works. */
  async function expectUnharmed(): Promise<void> {
    expect(execution.status).toBe('running')
    expect(raw.facts).toMatchObject({ cause: null, quiescent: false })
    const { exitCode, stdout } = await context.shell.run({ command: 'echo fine' })
    expect({ exitCode, text: stdout.text }).toEqual({ exitCode: 0, text: 'fine\n' })
  }

  const names = rows({ shell: {}, subprocess: {} } as never, { observed: {} } as never, {} as never).map(
    ([method]) => method
  )
  for (const [index, name] of names.entries()) {
    test(`in ${name} is an error that names it, and changes nothing`, async () => {
      const [, option, call, belonging] = rows(context, execution, raw)[index] as Row
      await expectEachRefused(name, option, belonging, call)
      await expectUnharmed()
    })
  }

  test('in a write to stdin is the error of the stream', async () => {
    for (const [kind, make] of allBut(
      'undefined',
      'null',
      'an empty text',
      'a text',
      'a text with NUL',
      'a lone surrogate'
    )) {
      const error = await errorOf(() => raw.stdin?.write(make() as never))
      if (error === refusal || isRevoked(error)) continue
      expect([kind, (error as { code?: string }).code]).toEqual([kind, 'ERR_INVALID_ARG_TYPE'])
    }
    await expectUnharmed()
  })

  test('from a getter that throws is that error, before anything runs', async () => {
    const { shell, subprocess } = context
    const calls: [object, (value: never) => unknown][] = [
      [request, (value) => shell.resolve(value)],
      [request, (value) => shell.run(value)],
      [{ ...shell.resolve(request) }, (value) => shell.execute(value)],
      [
        { ...spec, signal: undefined, env: {}, deadlineMs: 5000, leftovers: 'keep' },
        (value) => subprocess.spawn(value)
      ],
      [spec.stdio, (value) => subprocess.spawn({ ...spec, stdio: value })],
      [{ A: 'a' }, (value) => subprocess.spawn({ ...spec, env: value })],
      [{ A: 'a' }, (value) => shell.run({ command: 'true', env: value })],
      [{ cwd: '/', shell: {}, subprocess: {} }, (value) => api.createContext(value)]
    ]
    for (const [valid, call] of calls) {
      for (const name of Object.keys(valid)) {
        expect(await errorOf(() => call(withThrowingField(valid, name) as never)), name).toBe(refusal)
      }
    }
    await expectUnharmed()
  })

  test('that comes at the second look is never seen', async () => {
    const { shell, subprocess } = context
    for (const [name, then] of [
      ['argv', [5]],
      ['cwd', 5],
      ['graceMs', -1],
      ['stdio', null],
      ['env', 5],
      ['deadlineMs', 'x']
    ] as const) {
      const valid = { ...spec, env: {}, deadlineMs: 5000 }
      expect(await subprocess.spawn(turning(valid, name, then) as never).done, name).toEqual({
        exitCode: 0,
        signal: null
      })
    }
    for (const [name, then] of [
      ['command', 5],
      ['timeoutMs', -1],
      ['env', 5],
      ['workdir', '']
    ] as const) {
      const valid = { command: 'true', timeoutMs: 5000, env: {}, workdir: '/' }
      expect((await shell.run(turning(valid, name, then) as never)).exitCode, name).toBe(0)
      const byHand = turning({ ...shell.resolve(valid) }, name, then)
      expect((await (await shell.execute(byHand as never)).result()).exitCode, name).toBe(0)
    }
  })

  test('as a signal that refuses its listener starts nothing', async () => {
    const foreign = {
      aborted: false,
      addEventListener: () => {
        throw refusal
      },
      removeEventListener: () => {}
    }
    const { shell, subprocess } = context
    const signal = foreign as never
    expect(await errorOf(() => subprocess.spawn({ ...spec, argv: ['sleep', '300.78'], signal }))).toBe(refusal)
    expect(await errorOf(() => shell.run({ command: 'sleep 300.78', signal }))).toBe(refusal)
    expect(await errorOf(() => execution.waitForExit(signal))).toBe(refusal)
    await expectUnharmed()
  })
})
