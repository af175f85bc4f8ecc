import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { NodeSubprocessRuntime } from '../../../src/subprocess/node/node-runtime.js'
import { finished, success, until } from '../behaviour/observe.js'
import { bash, specOf } from '../specs.js'

let folder: string

beforeAll(() => {
  folder = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'node-runtime-test-')))
})

afterAll(() => fs.rmSync(folder, { recursive: true }))

describe('the ranges of the fallback', () => {
  it('are process groups, and it tells why', () => {
    const { range } = new NodeSubprocessRuntime({ ranges: ['cgroup', 'group'] })
    expect({ kind: range.kind, kinds: range.reasons.map(({ kind }) => kind) }).toEqual({
      kind: 'group',
      kinds: ['cgroup', 'scope', 'supervisor']
    })
  })

  it('cannot be restricted to others', () => {
    const expected = expect.objectContaining({
      message:
        'ranges allows only cgroup, and this runtime has only group (child_process cannot start a command inside a ' +
        'cgroup; the native core can)',
      code: 'RANGE_UNAVAILABLE',
      option: 'ranges',
      value: ['cgroup']
    })
    expect(() => new NodeSubprocessRuntime({ ranges: ['cgroup'] })).toThrow(expected)
  })
})

describe('a host that cannot offer much', () => {
  const before = { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR }

  afterEach(() => {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) delete process.env[name]
      else process.env[name] = value
    }
  })

  const everything = async () => {
    const runtime = new NodeSubprocessRuntime()
    const bashPath =
      (before.PATH ?? '')
        .split(delimiter)
        .map((entry) => join(entry, 'bash'))
        .find(fs.existsSync) ?? ''
    const stdio = { stdin: { data: 'in' }, stdout: { maxBytes: 4, spill: { maxBytes: 100 } } }
    const handle = runtime.spawn(specOf([bashPath, '-c', 'read -r line; echo "out $line"; echo err >&2'], { stdio }))
    const result = await finished(handle)
    const { spillError } = handle.collected.stdout ?? {}
    await runtime.dispose()
    return { ...result, spillError: (spillError as NodeJS.ErrnoException | null | undefined)?.code }
  }

  it('runs commands over sockets without mkfifo', async () => {
    process.env.PATH = folder
    expect(await everything()).toEqual({ outcome: success, stdout: ' in\n', stderr: 'err\n', spillError: undefined })
  })

  it('runs commands without a usable temp folder, and tells only what was asked for and failed', async () => {
    process.env.TMPDIR = join(folder, 'missing')
    expect(await everything()).toEqual({ outcome: success, stdout: ' in\n', stderr: 'err\n', spillError: 'ENOENT' })
  })
})

describe('a group of zombies only', () => {
  it('is empty: they run nothing, whoever fails to reap them', async () => {
    const runtime = new NodeSubprocessRuntime()
    // The child stays in the group as a zombie of a parent that left the group and never waits.
    const program = `
      use POSIX; $| = 1;
      if (my $keeper = fork) { my $line = <STDIN>; exit 0 }
      if (my $zombie = fork) { POSIX::setsid(); print "$$ $zombie\\n"; sleep 300 }
      exit 0`
    const handle = runtime.spawn(specOf(['perl', '-e', program], { graceMs: 100, stdio: { stdin: 'pipe' } }))
    const output = () => handle.collected.stdout?.readFrom(0).text ?? ''
    await until(() => output().includes('\n'))
    const [keeper = 0, zombie = 0] = output().trim().split(' ').map(Number)
    await until(() => fs.readFileSync(`/proc/${zombie}/stat`, 'latin1').includes(') Z '))
    handle.stdin?.end('\n')
    const outcome = await handle.done
    const empty = await handle.waitForExit()
    const stillThere = fs.existsSync(`/proc/${zombie}`)
    process.kill(keeper, 'SIGKILL')
    await until(() => !fs.existsSync(`/proc/${keeper}`))
    await runtime.dispose()
    expect({ outcome, empty, stillThere }).toEqual({ outcome: success, empty: true, stillThere: true })
  })
})

describe('a deadline that passes while the event loop is blocked', () => {
  it('did not end a command that had exited before it is heard', async () => {
    const runtime = new NodeSubprocessRuntime()
    const deadlineMs = 200
    const handle = runtime.spawn(bash('exit 3', { deadlineMs }))
    const startedAt = performance.now()
    const pause = new Int32Array(new SharedArrayBuffer(4))
    const hasExited = () => fs.readFileSync(`/proc/${handle.pid}/stat`, 'latin1').includes(') Z ')
    while (performance.now() < startedAt + 2 * deadlineMs || !hasExited()) Atomics.wait(pause, 0, 0, 5)
    const outcome = await handle.done
    await runtime.dispose()
    expect({ outcome, cause: handle.facts.cause }).toEqual({ outcome: { exitCode: 3, signal: null }, cause: null })
  })
})

describe('many commands at once', () => {
  it('each get their own output', async () => {
    const runtime = new NodeSubprocessRuntime()
    const handles = Array.from({ length: 60 }, (_, index) => runtime.spawn(bash(`echo ${index}; echo e${index} >&2`)))
    const results = await Promise.all(handles.map(finished))
    await runtime.dispose()
    expect(results).toEqual(
      handles.map((_, index) => ({ outcome: success, stdout: `${index}\n`, stderr: `e${index}\n` }))
    )
  })
})
