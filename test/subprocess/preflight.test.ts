import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { preflight } from '../../src/subprocess/preflight.js'
import type { SubprocessSpawnSpec } from '../../src/subprocess/types.js'
import { bash, specOf } from './specs.js'

interface Seen {
  readonly type: string
  readonly message: string
  readonly code: unknown
  readonly option: unknown
  readonly value: unknown
}

/** What preflight throws for `spec`, all of it; null if it passes. */
function thrownFor(spec: unknown): Seen | null {
  try {
    preflight(spec as SubprocessSpawnSpec)
    return null
  } catch (error) {
    const { message, code, option, value } = error as Error & Seen
    return { type: (error as Error).constructor.name, message, code, option, value }
  }
}

const graceText = 'subprocess graceMs must be a positive finite number no greater than 2147483647'
const abortedSignal = AbortSignal.abort('changed my mind')

describe('what passes', () => {
  it('accepts every documented form', () => {
    const full = specOf(['printf', '', 'a b', '-x', 'ü'], {
      stdio: {
        stdin: { data: new Uint8Array([0, 255]) },
        stdout: { maxBytes: 1, spill: { maxBytes: 1 } },
        stderr: 'inherit',
        control: 'pipe',
        attachment: { data: 'nul \0 is data here' }
      },
      signal: new AbortController().signal,
      env: { A: '1', REMOVED: undefined, EMPTY: '' },
      deadlineMs: 2_147_483_647,
      leftovers: 'terminate',
      limits: { memoryBytes: 1, pids: 4_194_304, cpus: 0.01, cpuSeconds: 1, fileBytes: 1, openFiles: undefined },
      graceMs: 0.5
    })
    expect([thrownFor(full), thrownFor(specOf(['x'], { stdio: { stdout: 'pipe', stderr: 'ignore' } }))]).toEqual([
      null,
      null
    ])
  })
})

describe('the first three checks', () => {
  it.each([0, -1, Number.NaN, Number.POSITIVE_INFINITY, 2_147_483_648])('refuses a grace of %s', (graceMs) => {
    expect(thrownFor(bash(':', { graceMs }))).toEqual({
      type: 'RangeError',
      message: graceText,
      code: 'EINVAL',
      option: 'graceMs',
      value: graceMs
    })
  })

  it('refuses a grace that is no number', () => {
    expect(thrownFor({ ...bash(':'), graceMs: '5' })).toEqual({
      type: 'TypeError',
      message: graceText,
      code: 'EINVAL',
      option: 'graceMs',
      value: '5'
    })
  })

  it('refuses a signal that has aborted, with its reason', () => {
    expect(thrownFor(bash(':', { signal: abortedSignal }))).toEqual({
      type: 'Error',
      message: 'aborted before spawn: changed my mind',
      code: 'EINVAL',
      option: 'signal',
      value: abortedSignal
    })
  })

  it('says "aborted" when a signal has no reason', () => {
    const signal = { aborted: true, reason: undefined, addEventListener() {} } as unknown as AbortSignal
    expect(thrownFor(bash(':', { signal }))?.message).toBe('aborted before spawn: aborted')
  })

  it.each([[[]], [['']], [undefined], ['bash'], [[5]]])('refuses %j as argv', (argv) => {
    expect(thrownFor({ ...bash(':'), argv })).toEqual({
      type: 'TypeError',
      message: 'invalid argv: expected a non-empty program name at argv[0]',
      code: 'EINVAL',
      option: 'argv',
      value: argv
    })
  })

  it('looks at grace, then at the signal, then at argv[0], then at the rest', () => {
    const bad = { argv: [], cwd: '', stdio: {}, graceMs: 0, signal: abortedSignal, extra: 1 }
    const messages = [
      thrownFor(bad),
      thrownFor({ ...bad, graceMs: 1 }),
      thrownFor({ ...bad, graceMs: 1, signal: undefined }),
      thrownFor({ ...bad, graceMs: 1, signal: undefined, argv: ['x'] })
    ].map((seen) => seen?.message)
    expect(messages).toEqual([
      graceText,
      'aborted before spawn: changed my mind',
      'invalid argv: expected a non-empty program name at argv[0]',
      'extra is an unknown option; got 1'
    ])
  })
})

describe('text that could not reach the command unchanged', () => {
  it('names the place of a NUL byte in UTF-16 units', () => {
    expect(thrownFor(specOf(['bash', '-c', 'é😀 \0b']))).toEqual({
      type: 'TypeError',
      message: "argv[2] must not contain a NUL byte (offset 4); got 'é😀 \\x00b'",
      code: 'EINVAL',
      option: 'argv[2]',
      value: 'é😀 \0b'
    })
  })

  it('names the place of a lone surrogate, and lets pairs pass', () => {
    expect(thrownFor(specOf(['printf', '😀\ud800x']))).toEqual({
      type: 'TypeError',
      message: `argv[1] must not contain a lone surrogate (offset 2); got ${inspect('😀\ud800x')}`,
      code: 'EINVAL',
      option: 'argv[1]',
      value: '😀\ud800x'
    })
  })

  it.each([
    ['a NUL byte in cwd', { cwd: '/a\0' }, 'cwd', 'must not contain a NUL byte (offset 2)'],
    ['a lone surrogate in cwd', { cwd: '\udc00' }, 'cwd', 'must not contain a lone surrogate (offset 0)'],
    ['a NUL byte in a variable', { env: { A: 'x\0' } }, 'env.A', 'must not contain a NUL byte (offset 1)'],
    ['a NUL byte in a name', { env: { 'A\0': 'x' } }, 'env', 'must not contain a NUL byte (offset 1)'],
    ['a lone surrogate in a name', { env: { '\ud800': '' } }, 'env', 'must not contain a lone surrogate (offset 0)']
  ])('refuses %s', (_title, parts, option, problem) => {
    const seen = thrownFor(bash(':', parts))
    expect({ option: seen?.option, starts: seen?.message.startsWith(`${option} ${problem}`) }).toEqual({
      option,
      starts: true
    })
  })

  it('refuses a lone surrogate in data, which has no bytes to be written as', () => {
    const options = [{ stdin: { data: 'a\ud800' } }, { attachment: { data: 'a\ud800' } }].map(
      (stdio) => thrownFor(bash(':', { stdio }))?.message
    )
    expect(options).toEqual([
      `stdio.stdin.data must not contain a lone surrogate (offset 1); got ${inspect('a\ud800')}`,
      `stdio.attachment.data must not contain a lone surrogate (offset 1); got ${inspect('a\ud800')}`
    ])
  })
})

describe('every other fault names the option and the value', () => {
  const stdio = bash(':').stdio
  const signal = {}
  it.each([
    ['TypeError', { cwd: 5 }, 'cwd', 5, 'cwd must be a string; got 5'],
    ['TypeError', { cwd: '' }, 'cwd', '', "cwd must be a non-empty string; got ''"],
    ['TypeError', { argv: ['a', 5] }, 'argv[1]', 5, 'argv[1] must be a string; got 5'],
    ['TypeError', { signal }, 'signal', signal, 'signal must be an AbortSignal; got {}'],
    ['TypeError', { env: { '': 'x' } }, 'env', '', 'env must have only non-empty names without "="; got \'\''],
    ['TypeError', { env: { 'a=b': 'x' } }, 'env', 'a=b', 'env must have only non-empty names without "="; got \'a=b\''],
    ['TypeError', { env: { a: 5 } }, 'env.a', 5, 'env.a must be a string; got 5'],
    ['TypeError', { env: { a: null } }, 'env.a', null, 'env.a must be a string; got null'],
    [
      'RangeError',
      { deadlineMs: 0 },
      'deadlineMs',
      0,
      'deadlineMs must be a positive finite number no greater than 2147483647; got 0'
    ],
    [
      'TypeError',
      { deadlineMs: null },
      'deadlineMs',
      null,
      'deadlineMs must be a positive finite number no greater than 2147483647; got null'
    ],
    ['TypeError', { leftovers: 'kill' }, 'leftovers', 'kill', "leftovers must be 'keep' or 'terminate'; got 'kill'"],
    ['TypeError', { limit: 1 }, 'limit', 1, 'limit is an unknown option; got 1'],
    ['TypeError', { limits: 1 }, 'limits', 1, 'limits must be an object; got 1'],
    ['TypeError', { limits: ['a'] }, 'limits', ['a'], "limits must be an object; got [ 'a' ]"],
    ['TypeError', { limits: { memory: 1 } }, 'limits.memory', 1, 'limits.memory is an unknown option; got 1'],
    [
      'TypeError',
      { limits: { memoryBytes: '1g' } },
      'limits.memoryBytes',
      '1g',
      "limits.memoryBytes must be a positive safe integer; got '1g'"
    ],
    [
      'RangeError',
      { limits: { pids: 0 } },
      'limits.pids',
      0,
      'limits.pids must be a positive integer no greater than 4194304; got 0'
    ],
    [
      'RangeError',
      { limits: { cpus: 0.001 } },
      'limits.cpus',
      0.001,
      'limits.cpus must be a number from 0.01 to 8192; got 0.001'
    ],
    [
      'RangeError',
      { limits: { cpuSeconds: 1.5 } },
      'limits.cpuSeconds',
      1.5,
      'limits.cpuSeconds must be a positive integer no greater than 2147483647; got 1.5'
    ],
    [
      'RangeError',
      { limits: { fileBytes: -1 } },
      'limits.fileBytes',
      -1,
      'limits.fileBytes must be a positive safe integer; got -1'
    ],
    [
      'TypeError',
      { limits: { openFiles: null } },
      'limits.openFiles',
      null,
      'limits.openFiles must be a positive safe integer; got null'
    ],
    ['TypeError', { stdio: null }, 'stdio', null, 'stdio must be an object; got null'],
    ['TypeError', { stdio: { ...stdio, stdio: 1 } }, 'stdio.stdio', 1, 'stdio.stdio is an unknown option; got 1'],
    [
      'TypeError',
      { stdio: { ...stdio, stdin: 'inherit' } },
      'stdio.stdin',
      'inherit',
      "stdio.stdin must be 'ignore', 'pipe' or { data }; got 'inherit'"
    ],
    [
      'TypeError',
      { stdio: { ...stdio, stdin: { data: 5 } } },
      'stdio.stdin.data',
      5,
      'stdio.stdin.data must be a string or a Uint8Array; got 5'
    ],
    [
      'TypeError',
      { stdio: { ...stdio, stdout: 'null' } },
      'stdio.stdout',
      'null',
      "stdio.stdout must be 'ignore', 'pipe', 'inherit' or { maxBytes, spill? }; got 'null'"
    ],
    [
      'RangeError',
      { stdio: { ...stdio, stderr: { maxBytes: 0 } } },
      'stdio.stderr.maxBytes',
      0,
      'stdio.stderr.maxBytes must be a positive safe integer; got 0'
    ],
    [
      'RangeError',
      { stdio: { ...stdio, stderr: { maxBytes: 1.5 } } },
      'stdio.stderr.maxBytes',
      1.5,
      'stdio.stderr.maxBytes must be a positive safe integer; got 1.5'
    ],
    [
      'TypeError',
      { stdio: { ...stdio, stdout: { maxBytes: '1' } } },
      'stdio.stdout.maxBytes',
      '1',
      "stdio.stdout.maxBytes must be a positive safe integer; got '1'"
    ],
    [
      'TypeError',
      { stdio: { ...stdio, stdout: { maxBytes: 1, cap: 2 } } },
      'stdio.stdout.cap',
      2,
      'stdio.stdout.cap is an unknown option; got 2'
    ],
    [
      'RangeError',
      { stdio: { ...stdio, stdout: { maxBytes: 1, spill: { maxBytes: -1 } } } },
      'stdio.stdout.spill.maxBytes',
      -1,
      'stdio.stdout.spill.maxBytes must be a positive safe integer; got -1'
    ],
    [
      'TypeError',
      { stdio: { ...stdio, control: true } },
      'stdio.control',
      true,
      "stdio.control must be 'pipe' or undefined; got true"
    ],
    [
      'TypeError',
      { stdio: { ...stdio, attachment: 'x' } },
      'stdio.attachment',
      'x',
      "stdio.attachment must be { data }; got 'x'"
    ]
  ])('%s for %j', (type, parts, option, value, message) => {
    expect(thrownFor({ ...bash(':'), ...parts })).toEqual({ type, message, code: 'EINVAL', option, value })
  })

  it('refuses a spec that is no object', () => {
    expect(thrownFor(null)?.message).toBe('spec must be an object; got null')
  })
})
