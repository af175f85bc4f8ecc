import { homedir } from 'node:os'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createContext } from '../../src/context/create-context.js'
import { bashTool, type ShellEnvironmentContributor, shellEnvironment } from '../../src/tool/index.js'

const session = { id: 's1', cwd: '/repo' }

const contributor = (name: string, values: Record<string, unknown>, variables?: Record<string, string>) =>
  ({
    name,
    variables: variables ?? Object.fromEntries(Object.keys(values).map((key) => [key, `what ${key} is`])),
    resolve: () => values
  }) as ShellEnvironmentContributor

const hostHome = process.env.DSH_HOME
beforeEach(() => {
  delete process.env.DSH_HOME
})
afterEach(() => {
  delete process.env.DSH_STALE
  if (hostHome === undefined) delete process.env.DSH_HOME
  else process.env.DSH_HOME = hostHome
})

describe('what is built in', () => {
  it('is the home, a sign of the shell, and the session where there is one', () => {
    const environment = shellEnvironment()
    const home = `${homedir()}/.dsh`
    expect(environment.collect()).toEqual({ DSH_HOME: home, DSH_SHELL: '1' })
    expect(environment.collect(session)).toEqual({ DSH_HOME: home, DSH_SHELL: '1', DSH_SESSION_ID: 's1' })
  })

  it('takes the home from the options, else from the host, always absolute', () => {
    process.env.DSH_HOME = '/from/host'
    expect(shellEnvironment().collect().DSH_HOME).toBe('/from/host')
    expect(shellEnvironment({ home: '/own' }).collect().DSH_HOME).toBe('/own')
    expect(shellEnvironment({ home: 'own' }).collect().DSH_HOME).toBe(`${process.cwd()}/own`)
  })

  it('is listed with what contributors have declared, and nobody is asked for values', () => {
    const environment = shellEnvironment()
    const silent = contributor('b', {}, { DSH_B: 'the b' })
    environment.contribute({ ...silent, resolve: () => expect.fail('was asked') })
    expect(environment.list()).toEqual([
      { variable: 'DSH_B', description: 'the b', contributor: 'b' },
      { variable: 'DSH_HOME', description: expect.any(String), contributor: undefined },
      { variable: 'DSH_SESSION_ID', description: expect.any(String), contributor: undefined },
      { variable: 'DSH_SHELL', description: expect.any(String), contributor: undefined }
    ])
  })
})

describe('contributors', () => {
  it('are asked for each call, in the order of their names, and get its session', () => {
    const environment = shellEnvironment()
    const asked: unknown[] = []
    const asking = (name: string, variable: string): ShellEnvironmentContributor => ({
      ...contributor(name, { [variable]: name }),
      resolve: (given) => {
        asked.push([name, given])
        return { [variable]: name }
      }
    })
    environment.contribute(asking('z', 'DSH_A'))
    environment.contribute(asking('a', 'DSH_Z'))
    const collected = environment.collect(session)
    expect(Object.keys(collected)).toEqual(['DSH_A', 'DSH_HOME', 'DSH_SESSION_ID', 'DSH_SHELL', 'DSH_Z'])
    expect(Object.isFrozen(collected)).toBe(true)
    expect(collected).toMatchObject({ DSH_A: 'z', DSH_Z: 'a' })
    environment.collect()
    expect(asked).toEqual([
      ...[
        ['a', session],
        ['z', session]
      ],
      ...[
        ['a', undefined],
        ['z', undefined]
      ]
    ])
  })

  it('give only some of what they have declared where that is all there is', () => {
    const environment = shellEnvironment()
    environment.contribute(contributor('store', {}, { DSH_SESSION_JSONL: 'the file of the session' }))
    expect(environment.collect()).not.toHaveProperty('DSH_SESSION_JSONL')
  })

  it('are gone after their disposal, and another may take their place', () => {
    const environment = shellEnvironment()
    const remove = environment.contribute(contributor('a', { DSH_A: '1' }))
    remove()
    expect(environment.collect()).not.toHaveProperty('DSH_A')
    environment.contribute(contributor('a', { DSH_A: '2' }))
    remove()
    expect(environment.collect()).toMatchObject({ DSH_A: '2' })
  })

  it.each([
    [contributor('', {}), 'contributor.name', 'must not be blank'],
    [contributor('taken', {}), 'contributor.name', 'is taken by another contributor'],
    [
      contributor('b', { DSH_TAKEN: '1' }),
      'contributor.variables.DSH_TAKEN',
      'is given by the contributor taken already'
    ],
    [contributor('b', { DSH_SHELL: '1' }), 'contributor.variables.DSH_SHELL', 'is built in'],
    [contributor('b', { DSH_: '1' }), 'contributor.variables.DSH_', 'must have a name like DSH_NAME'],
    [contributor('b', { dsh_a: '1' }), 'contributor.variables.dsh_a', 'must have a name like DSH_NAME'],
    [contributor('b', { PATH: '1' }), 'contributor.variables.PATH', 'must have a name like DSH_NAME'],
    [contributor('b', {}, { DSH_B: ' ' }), 'contributor.variables.DSH_B', 'must be a description that is not blank'],
    [{ ...contributor('b', {}), resolve: 5 }, 'contributor.resolve', 'must be a function'],
    [{ name: 'b', resolve: () => ({}) }, 'contributor.variables', 'must be an object'],
    ['b', 'contributor', 'must be an object']
  ])('that are not sound are refused whole (%#)', (given, option, problem) => {
    const environment = shellEnvironment()
    environment.contribute(contributor('taken', { DSH_TAKEN: '1' }))
    const before = environment.list()
    const message = expect.stringContaining(`${option} ${problem}; got `)
    expect(() => environment.contribute(given as ShellEnvironmentContributor)).toThrow(
      expect.objectContaining({ code: 'EINVAL', option, message })
    )
    expect(environment.list()).toEqual(before)
  })

  it.each([
    [{ DSH_OTHER: 'secret' }, 'environment.b.DSH_OTHER was not declared by its contributor'],
    [{ DSH_B: 5 }, 'environment.b.DSH_B must be a string; got 5'],
    [{ DSH_B: undefined }, 'environment.b.DSH_B must be a string; got undefined'],
    [{ DSH_B: 'a\0b' }, 'environment.DSH_B must not contain a NUL byte (offset 1)'],
    [undefined, 'environment.b must give an object; got undefined']
  ])('that give %j are an error when they do', (values, message) => {
    const environment = shellEnvironment()
    environment.contribute({ ...contributor('b', {}, { DSH_B: 'the b' }), resolve: () => values as never })
    expect(() => environment.collect()).toThrow(expect.objectContaining({ name: 'TypeError', message }))
  })
})

it('refuses options that it does not know', () => {
  expect(() => shellEnvironment({ home: '' })).toThrow("home must not be empty; got ''")
  expect(() => shellEnvironment({ hom: '/x' } as object)).toThrow("hom is an unknown option; got '/x'")
  expect(() => shellEnvironment([] as object)).toThrow('options must be an object')
})

it('is what a command of the bash tool sees of DSH variables, and nothing of the host comes through', async () => {
  process.env.DSH_STALE = 'old'
  const context = await createContext()
  try {
    const environment = shellEnvironment({ home: '/h' })
    let calls = 0
    environment.contribute({ ...contributor('n', {}, { DSH_N: 'count' }), resolve: () => ({ DSH_N: String(++calls) }) })
    const { shell } = context
    const printed = async (tool: ReturnType<typeof bashTool>) =>
      tool.render(
        await tool.execute({ command: 'env | grep ^DSH_ | sort', description: 'show' }, { session: { id: 's1' } })
      )
    const bash = bashTool({ shell, environment })
    expect(await printed(bash)).toBe('DSH_HOME=/h\nDSH_N=1\nDSH_SESSION_ID=s1\nDSH_SHELL=1\n')
    expect(await printed(bash)).toContain('DSH_N=2\n')
    expect(await printed(bashTool({ shell }))).toBe('(no output)')
  } finally {
    await context.dispose()
  }
})
