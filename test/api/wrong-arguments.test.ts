// Every public method with every wrong kind of value: an error that names it, and nothing has happened.

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as api from '../../src/index.js'
import { loadAddon } from '../../src/native/load.js'
import { feature } from '../setup/features.js'
import { errorOf, expectDocumented, isRevoked } from './documented-error.js'
import { allBut, refusal, turning, withThrowingField } from './wrong-values.js'

type Call = (value: never) => unknown
type Row = readonly [method: string, option: RegExp, call: Call, belonging: readonly string[]]

const nothingOr = (...more: string[]): string[] => ['undefined', ...more]
const delays = ['a number', 'a fraction']
const texts = ['a text']
const objects = ['an empty object', 'an object with nothing above it']

const request = { command: 'true' }
const spec: api.SubprocessSpawnSpec = {
  argv: ['true'],
  cwd: '/',
  graceMs: 1000,
  stdio: { stdin: 'ignore', stdout: { maxBytes: 100 }, stderr: 'ignore' }
}

/** Environments that name nothing and so pass. */
const environments = [...objects, 'a Date']

function rows(context: api.Context, execution: api.ShellExecution, raw: api.SubprocessHandle): Row[] {
  const { shell, subprocess } = context
  const resolve =
    (name: string): Call =>
    (value) =>
      shell.resolve({ ...request, [name]: value } as never)
  const executeWith =
    (name: string): Call =>
    (value) =>
      shell.execute({ ...shell.resolve(request), [name]: value } as never)
  const spawnWith =
    (name: string): Call =>
    (value) =>
      subprocess.spawn({ ...spec, [name]: value } as never)
  const stdioWith =
    (name: string): Call =>
    (value) =>
      subprocess.spawn({ ...spec, stdio: { ...spec.stdio, [name]: value } } as never)
  const makeWith =
    (section: string, name: string): Call =>
    (value) =>
      api.createContext({ [section]: { [name]: value } } as never).then((made) => made.dispose())
  return [
    [
      'createContext',
      /options|toString/,
      (value) => api.createContext(value).then((made) => made.dispose()),
      nothingOr(...environments)
    ],
    [
      'createContext cwd',
      /cwd/,
      (value) => api.createContext({ cwd: value }).then((made) => made.dispose()),
      nothingOr('a text')
    ],
    [
      'createContext shell',
      /shell/,
      (value) => api.createContext({ shell: value }).then((made) => made.dispose()),
      nothingOr(...environments)
    ],
    ...['timeoutMs', 'maxTimeoutMs', 'graceMs'].map(
      (name): Row => [
        `createContext shell.${name}`,
        new RegExp(`shell\\.${name}`),
        makeWith('shell', name),
        nothingOr(...delays)
      ]
    ),
    ...['maxOutputBytes', 'maxSpillBytes'].map(
      (name): Row => [
        `createContext shell.${name}`,
        new RegExp(`shell\\.${name}`),
        makeWith('shell', name),
        nothingOr('a number')
      ]
    ),
    [
      'createContext subprocess',
      /subprocess/,
      (value) => api.createContext({ subprocess: value }).then((made) => made.dispose()),
      nothingOr(...environments)
    ],
    ...['provider', 'ranges', 'cgroupParent'].map(
      (name): Row => [
        `createContext subprocess.${name}`,
        new RegExp(`subprocess\\.${name}`),
        makeWith('subprocess', name),
        nothingOr(...(name === 'cgroupParent' ? texts : []))
      ]
    ),
    [
      'createContext subprocess.spillDir',
      /subprocess\.spillDir/,
      makeWith('subprocess', 'spillDir'),
      nothingOr('a text')
    ],
    [
      'createContext onWarning',
      /onWarning/,
      (value) => api.createContext({ onWarning: value }).then((made) => made.dispose()),
      nothingOr('a function')
    ],
    [
      'new NodeSubprocessRuntime',
      /options|text|toString/,
      (value) => new api.NodeSubprocessRuntime(value),
      nothingOr(...objects, 'a Map', 'a Date', 'a Promise', 'an empty list', 'a list', 'an object whose texts throw')
    ],
    ['new LocalBashExecutor', /options|subprocess|0|toString/, (value) => new api.LocalBashExecutor(value), []],
    ['resolve', /request/, (value) => shell.resolve(value), []],
    ['resolve command', /request\.command/, resolve('command'), texts],
    ['resolve workdir', /request\.workdir/, resolve('workdir'), nothingOr(...texts)],
    [
      'resolve timeoutMs',
      /request\.timeoutMs/,
      resolve('timeoutMs'),
      nothingOr(...delays, 'a number beyond the safe ones')
    ],
    ['resolve stdoutMaxBytes', /request\.stdoutMaxBytes/, resolve('stdoutMaxBytes'), nothingOr('a number')],
    ['resolve signal', /request\.signal/, resolve('signal'), nothingOr()],
    ['resolve stdin', /request\.stdin/, resolve('stdin'), nothingOr(...texts, 'an empty text', 'a text with NUL')],
    ['resolve env', /request\.env/, resolve('env'), nothingOr(...environments)],
    ['resolve dshEnv', /request\.dshEnv/, resolve('dshEnv'), nothingOr(...environments)],
    ['resolve onExpiry', /request\.onExpiry/, resolve('onExpiry'), nothingOr()],
    ['resolve leftovers', /request\.leftovers/, resolve('leftovers'), nothingOr()],
    ['run', /request/, (value) => shell.run(value), []],
    ['execute', /spec/, (value) => shell.execute(value), []],
    ...['timeoutMs', 'graceMs'].map(
      (name): Row => [`execute ${name}`, new RegExp(`spec\\.${name}`), executeWith(name), delays]
    ),
    ...['stdoutMaxBytes', 'stderrMaxBytes', 'maxSpillBytes'].map(
      (name): Row => [`execute ${name}`, new RegExp(`spec\\.${name}`), executeWith(name), ['a number']]
    ),
    ['spawn', /spec|graceMs/, (value) => subprocess.spawn(value), []],
    ['spawn argv', /argv/, spawnWith('argv'), ['a list']],
    [
      'spawn argv[1]',
      /argv/,
      (value) => subprocess.spawn({ ...spec, argv: ['true', value] }),
      ['a text', 'an empty text']
    ],
    ['spawn cwd', /cwd/, spawnWith('cwd'), texts],
    ['spawn graceMs', /graceMs/, spawnWith('graceMs'), delays],
    ['spawn deadlineMs', /deadlineMs/, spawnWith('deadlineMs'), nothingOr(...delays)],
    ['spawn signal', /signal/, spawnWith('signal'), nothingOr()],
    ['spawn env', /env/, spawnWith('env'), nothingOr(...environments)],
    ['spawn leftovers', /leftovers/, spawnWith('leftovers'), nothingOr()],
    ['spawn stdio', /stdio/, spawnWith('stdio'), []],
    ...['stdin', 'stdout', 'stderr'].map(
      (name): Row => [`spawn stdio.${name}`, new RegExp(`stdio\\.${name}`), stdioWith(name), []]
    ),
    ['spawn stdio.control', /stdio\.control/, stdioWith('control'), nothingOr()],
    ['spawn stdio.attachment', /stdio\.attachment/, stdioWith('attachment'), nothingOr()],
    [
      'spawn stdio.stdout.maxBytes',
      /stdio\.stdout\.maxBytes/,
      (value) => stdioWith('stdout')({ maxBytes: value } as never),
      ['a number']
    ],
    [
      'spawn stdio.stdout.spill',
      /stdio\.stdout\.spill/,
      (value) => stdioWith('stdout')({ maxBytes: 5, spill: value } as never),
      nothingOr()
    ],
    [
      'spawn stdio.stdin.data',
      /stdio\.stdin/,
      (value) => stdioWith('stdin')({ data: value } as never),
      ['a text', 'an empty text', 'a text with NUL']
    ],
    ['resolveExecutable', /command/, (value) => subprocess.resolveExecutable(value), ['a text', 'an empty text']],
    [
      'resolveExecutable env',
      /env/,
      (value) => subprocess.resolveExecutable('bash', value),
      nothingOr(...environments)
    ],
    ['resolveExecutable signal', /signal/, (value) => subprocess.resolveExecutable('bash', {}, value), nothingOr()],
    ['claimSpill', /path/, (value) => subprocess.claimSpill(value), ['a text', 'an empty text']],
    ['waitForExit of an execution', /signal/, (value) => execution.waitForExit(value), nothingOr()],
    ['waitForExit of a handle', /signal/, (value) => raw.waitForExit(value), nothingOr()],
    ['readFrom', /offset/, (value) => execution.observed.stdout.readFrom(value), numbers],
    ['readBytesFrom', /offset/, (value) => execution.observed.stderr.readBytesFrom(value), numbers],
    ['parseExitStatus', /text/, (value) => api.parseExitStatus(value), anyText],
    ['appendExitStatus', /text/, (value) => api.appendExitStatus(value, { exitCode: 1, signal: null }), anyText],
    ['formatExitStatus', /status/, (value) => api.formatExitStatus(value), []]
  ]
}

const numbers = ['zero', 'a number', 'a fraction', 'Infinity', 'a negative number', 'a number beyond the safe ones']
const anyText = ['an empty text', 'a text', 'a text with NUL', 'a lone surrogate']

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
      for (const [kind, make] of allBut(...belonging)) {
        const error = await errorOf(() => call(make() as never)).catch((none: Error) => {
          throw new Error(`${name} with ${kind}: ${none.message}`)
        })
        try {
          expectDocumented(error, option)
        } catch (mismatch) {
          throw new Error(`${name} with ${kind}: ${(mismatch as Error).message}`, { cause: error })
        }
      }
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
