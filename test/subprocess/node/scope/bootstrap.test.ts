// The request is exact in every shell that may be /bin/sh.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { openNameless } from '../../../../src/subprocess/node/nameless-file.js'
import {
  bootstrapArgv,
  type Request,
  readNote,
  requestDescriptor,
  requestText
} from '../../../../src/subprocess/node/scope/bootstrap.js'

/** Every character of one byte but NUL, and letters whose bytes are special to some shell. */
const everyByte = Array.from({ length: 127 }, (_, index) => String.fromCharCode(index + 1)).join('')
const words = ['', everyByte, "'", "''\\'", 'a\n\nb\n', '$(exit) `exit` ${x}', 'Áˆ\u0081\u0088', '}', '\nexit\n', '-i']

function run(shell: string, argv0: string, request: Request, exit?: number) {
  const text = requestText(request)
  const fd = openNameless(text, [tmpdir()], 'a+')
  const names = Array.from({ length: requestDescriptor }, (_, index) =>
    index === 1 || index === 2 ? 'pipe' : 'ignore'
  )
  const stdio = [...(names as ('pipe' | 'ignore')[]), fd]
  try {
    const note = () => readNote(fd, Buffer.byteLength(text))
    const before = note()
    const environment = { LC_ALL: 'C', PATH: process.env.PATH }
    const { status, stdout, stderr } = spawnSync(shell, bootstrapArgv.slice(1), {
      argv0,
      stdio,
      encoding: 'utf8',
      env: environment
    })
    return { status: status === exit ? 0 : status, stdout: stdout.split('\0'), stderr, before, after: note() }
  } finally {
    fs.closeSync(fd)
  }
}

const own = fs.readFileSync('/proc/self/cgroup', 'utf8').split('\n')
const noted = { status: 0, stderr: '', before: null, after: own.filter((line) => line.startsWith('0::')).join('\n') }

describe.each([
  ['/bin/sh', '/bin/sh'],
  ['bash', 'sh'],
  ['bash', 'bash']
])('the bootstrap by %s as %s', (shell, argv0) => {
  it('hands on every argument as it is, and notes its cgroup before', () => {
    const argv = ['bash', '-c', 'printf "%s\\0" "$@"', 'name', ...words]
    const { after, ...seen } = run(shell, argv0, { argv, environment: new Map([['PATH', '/usr/bin:/bin']]) })
    expect({ ...seen, after: after?.trimEnd() }).toEqual({ ...noted, stdout: [...words, ''] })
  })

  it('gives exactly the environment of the request, in its order', () => {
    const odd = ['a-b', 'a.b', 'BASH_FUNC_f%%', '-u', '_', 'PWD', 'SHLVL', 'OLDPWD', 'IFS', 'ENV']
    const environment = new Map([...odd, ...words.keys()].map((name, index) => [String(name), words[index] ?? 'x']))
    const { stdout } = run(shell, argv0, { argv: ['/usr/bin/env', '-0'], environment })
    expect(stdout).toEqual([...Array.from(environment, ([name, value]) => `${name}=${value}`), ''])
  })

  it('leaves the command nothing of its own, and no word that env would take for a variable', () => {
    const environment = new Map([['PATH', '/usr/bin:/bin']])
    const list = run(shell, argv0, { argv: ['bash', '-c', 'printf "%s\\0" /proc/self/fd/9*'], environment })
    expect(list.stdout).toEqual(['/proc/self/fd/9*', ''])
    expect(run(shell, argv0, { argv: ['no=such'], environment }, 127)).toMatchObject({
      status: 0,
      stderr: expect.stringMatching(/no=such.*No such file/)
    })
  })
})
