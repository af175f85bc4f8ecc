import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { providers, testOn } from '../fixtures/shell/providers.js'
import { cli, cliInto, onProvider, useBuiltCli } from './built-cli.js'

useBuiltCli()

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-cli-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
writeFileSync(join(folder, 'not-executable'), 'text')

const node = onProvider('node')
const quiet = { status: 0, signal: null, stdout: '', stderr: '' }

describe.each(providers)('quiesce run on %o', (subprocess) => {
  const test = testOn(subprocess)
  const on = onProvider(subprocess.provider)

  test('passes stdin, stdout and stderr on, byte for byte', async () => {
    const program = 'process.stdin.pipe(process.stdout); process.stderr.write(Buffer.from([0xff, 0x00, 0x0a]))'
    const result = await cli(['run', ...on, '--', process.execPath, '-e', program], { input: 'größer\0\n' })
    expect(result).toEqual({ ...quiet, stdout: 'größer\0\n', stderr: '\ufffd\0\n' })
  })

  test('passes a flood on without losing a byte', async () => {
    const { status, stdout } = await cli(['run', ...on, '--', 'seq', '300000'])
    expect([status, stdout.length, stdout.slice(-7)]).toEqual([0, 1_988_895, '300000\n'])
  })

  test('takes arguments as they are, options of the program included, with and without the dashes', async () => {
    const words = ['--json', '$HOME', 'a b', '*', '']
    for (const dashes of [['--'], []]) {
      const { stdout } = await cli(['run', ...on, ...dashes, 'printf', '<%s>', ...words])
      expect(stdout).toBe(words.map((word) => `<${word}>`).join(''))
    }
  })

  test('uses the working folder and the variables that it is given', async () => {
    const args = ['run', ...on, '--cwd', folder, '--env', 'A=1=2', '--env', 'B=', '--', 'sh', '-c', 'pwd; echo "$A|$B"']
    expect(await cli(args)).toEqual({ ...quiet, stdout: `${folder}\n1=2|\n` })
  })
})

describe('limits on the command line', () => {
  testOn({ provider: 'native' })('hold what run and sh start', async () => {
    const limits = ['--cpu-seconds', '9', '--file-bytes', '2K', '--open-files', '40']
    const script = 'ulimit -t; ulimit -f; ulimit -n'
    for (const args of [
      ['sh', ...limits, script],
      ['run', ...limits, '--', 'bash', '-c', script]
    ]) {
      expect(await cli(args)).toEqual({ ...quiet, stdout: '9\n2\n40\n' })
    }
  })
})

describe.each(providers)('quiesce sh on %o', (subprocess) => {
  const test = testOn(subprocess)
  const on = onProvider(subprocess.provider)

  test('runs a command text with an empty stdin', async () => {
    expect(await cli(['sh', ...on, 'cat; echo "$TERM" | tr a-z A-Z; echo err >&2'], { input: 'unseen' })).toEqual({
      ...quiet,
      stdout: 'DUMB\n',
      stderr: 'err\n'
    })
  })
})

describe('the exit status', () => {
  it.each([
    ['of the command', ['sh', 'exit 7'], 7, ''],
    ['128 + n for a signal', ['sh', 'kill -KILL $$'], 137, ''],
    ['124 after a timeout', ['sh', '--timeout', '200ms', 'sleep 30'], 124, ''],
    [
      '124 after a timeout that the command shrugged off',
      ['sh', '--timeout', '0.3s', 'trap "exit 0" TERM; sleep 60 & wait'],
      124,
      ''
    ],
    [
      '127 for a program that is not there',
      ['run', '--', 'no-such-program'],
      127,
      /cannot execute "no-such-program".*ENOENT/
    ],
    ['126 for a program that cannot be executed', ['run', '--', join(folder, 'not-executable')], 126, /EACCES/],
    [
      '125 for a working folder that is not there',
      ['run', '--cwd', '/no/such', '--', 'true'],
      125,
      /working folder "\/no\/such".*ENOENT/
    ],
    ['125 for a range that cannot be had', ['run', '--range', 'scope', '--', 'true'], 125, /subprocess\.ranges/],
    [
      '125 for a range that does not exist',
      ['run', '--range', 'group,jail', '--', 'true'],
      125,
      /option '--range <kinds>' argument 'group,jail' is invalid. There is no range 'jail'; allowed are cgroup, scope, supervisor, group/
    ]
  ])('is %s', async (_title, [command, ...args], status, stderr) => {
    const on = args.includes('--range') ? node.slice(0, 2) : node
    const result = await cli([command as string, ...on, ...args])
    expect(result).toEqual({ status, signal: null, stdout: '', stderr: expect.stringMatching(stderr || /^$/) })
  })

  it.each([
    [['run', '--bogus', '--', 'true'], /^quiesce: unknown option '--bogus'/],
    [['run'], /^quiesce: missing required argument 'program'/],
    [['sh', '--timeout', 'soon', 'true'], /It is no duration/],
    [['sh', '--timeout', '0', 'true'], /must be a positive finite number/],
    [['sh', '--timeout', '25d', 'true'], /It is no duration/],
    [['sh', '--timeout', '600h', 'true'], /no greater than 2147483647/],
    [['sh', '--max-output', '0', 'true'], /positive whole number/],
    [['sh', '--env', '=x', 'true'], /NAME=VALUE/],
    [
      ['sh', '--memory', '1q', 'true'],
      /'--memory <bytes>' argument '1q' is invalid. It must be a positive safe integer/
    ],
    [['run', '--memory', '9999999999999999t', 'true'], /'--memory <bytes>' argument '9999999999999999t' is invalid/],
    [['sh', '--pids', '0', 'true'], /'--pids <number>' argument '0' is invalid. .* no greater than 4194304/],
    [['sh', '--pids', '1e3', 'true'], /'--pids <number>' argument '1e3' is invalid/],
    [['run', '--cpus', '0.001', 'true'], /'--cpus <number>' argument '0.001' is invalid. .* from 0.01 to 8192/],
    [['sh', '--cpu-seconds', '1.5', 'true'], /'--cpu-seconds <number>' argument '1.5' is invalid/],
    [['sh', '--file-bytes', '-1', 'true'], /'--file-bytes <bytes>' argument '-1' is invalid/],
    [['sh', '--open-files', 'many', 'true'], /'--open-files <number>' argument 'many' is invalid/],
    [['sh', '--provider', 'node', '--cpu-seconds', '5', 'true'], /limits\.cpuSeconds 5 cannot be enforced/],
    [['run', '--provider', 'node', '--memory', '2k', '--', 'true'], /limits\.memoryBytes 2048 cannot be enforced/],
    [['sh', '--provider', 'other', 'true'], /Allowed choices are auto, native, node/],
    [['sh', ''], /request\.command must not be empty/],
    [['sh', 'true', 'more'], /too many arguments/],
    [['bogus'], /unknown command/]
  ])('is 125 for %j, with the reason and nothing run', async (args, reason) => {
    expect(await cli(args)).toEqual({ ...quiet, status: 125, stderr: expect.stringMatching(reason) })
  })

  it('is 0 for help and version', async () => {
    expect((await cli(['--version'])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
    for (const args of [['--help'], ['run', '--help'], ['sh', '--help'], ['help', 'doctor']]) {
      expect(await cli(args)).toEqual({ ...quiet, stdout: expect.stringContaining('Usage: quiesce') })
    }
  })
})

describe('--json', () => {
  const facts = { innerSignal: undefined, timedOut: false, aborted: false, quiescent: true, range: 'group' }
  const usage = {
    wallMs: expect.any(Number),
    userMs: null,
    systemMs: null,
    maxRssBytes: null,
    treeCpuMs: null,
    memoryPeakBytes: null,
    pidsPeak: null,
    oomKills: null
  }
  const stream = (text: string, totalBytes = text.length): object => ({
    text,
    truncated: totalBytes > text.length,
    totalBytes
  })

  it.each([
    ['run', ['run', '--json', '--', 'sh', '-c', 'cat; echo err >&2; exit 3'], 'in', null],
    ['sh', ['sh', '--json', '--timeout', '1m', 'printf in; echo err >&2; exit 3'], 'in', 60_000]
  ])('prints the whole result of %s and nothing else', async (_name, [command, ...args], stdout, timeoutMs) => {
    const result = await cli([command as string, ...node, ...args], { input: 'in' })
    expect({ ...result, stdout: JSON.parse(result.stdout) }).toEqual({
      ...quiet,
      status: 3,
      stdout: { ...facts, exitCode: 3, signal: null, timeoutMs, usage, stdout: stream(stdout), stderr: stream('err\n') }
    })
  })

  it('keeps the tail of each stream', async () => {
    const { stdout } = await cli(['run', ...node, '--json', '--max-output', '4', '--', 'seq', '5'])
    expect(JSON.parse(stdout).stdout).toEqual(stream('4\n5\n', 10))
  })

  it('prints a failure to start as JSON too', async () => {
    const result = await cli(['run', ...node, '--json', '--cwd', '/no/such', '--', 'true'])
    expect({ ...result, stdout: JSON.parse(result.stdout) }).toEqual({
      ...quiet,
      status: 125,
      stdout: {
        error: { message: expect.stringContaining('/no/such'), code: 'ENOENT', stage: 'chdir', path: '/no/such' }
      }
    })
  })

  it('waits for leftovers that are to be ended', async () => {
    const { status, stdout } = await cli(['sh', ...node, '--json', '--leftovers', 'terminate', 'sleep 60 & echo up'])
    expect([status, JSON.parse(stdout)]).toMatchObject([
      0,
      { quiescent: true, aborted: false, stdout: { text: 'up\n' } }
    ])
  })
})

describe('a stdout that cannot be written', () => {
  it.each([['sh', '--json', '--provider', 'node', 'echo x'], ['doctor']])(
    'is an own failure, told on stderr: %s',
    async (...args) => {
      const { status, stderr } = await cliInto('/dev/full', args)
      expect(status).toBe(125)
      expect(stderr).toMatch(/^quiesce: .*ENOSPC/m)
    }
  )
})

describe('an empty --cwd', () => {
  it.each(['run', 'sh'])('is refused by %s', async (name) => {
    const { status, stderr } = await cli([name, '--cwd', '', 'true'])
    expect(status).toBe(125)
    expect(stderr).toContain("option '--cwd <folder>' argument '' is invalid")
  })
})
