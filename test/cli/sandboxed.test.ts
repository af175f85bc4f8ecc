import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { needing } from '../fixtures/sandbox/real-backends.js'
import { cli, onProvider, useBuiltCli } from './built-cli.js'

useBuiltCli()

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-cli-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const node = onProvider('node')
const quiet = { status: 0, signal: null, stdout: '', stderr: '' }

describe('quiesce sh --sandbox', () => {
  const test = needing('bwrap')

  test('confines the command on its own streams, with its exit status', async () => {
    const outside = join(folder, 'outside')
    const args = ['sh', ...node, '--cwd', '/usr', '--sandbox', 'read-only', `echo in; echo x > ${outside}; exit 9`]
    const { status, stdout, stderr } = await cli(args)
    expect({ status, stdout, made: existsSync(outside) }).toEqual({ status: 9, stdout: 'in\n', made: false })
    expect(stderr).toMatch(/Read-only file system/)
  })

  test('lets it write to its working folder, and to what is named, in workspace-write', async () => {
    const more = mkdtempSync('/var/tmp/quiesce-cli-more-')
    try {
      const command = `echo a > made; echo b > ${more}/made; (echo c > ${more}/../refused) 2>/dev/null; echo $?`
      const args = ['sh', ...node, '--cwd', folder, '--sandbox', 'workspace-write', '--writable', more, command]
      expect(await cli(args)).toEqual({ ...quiet, stdout: '1\n' })
      expect([join(folder, 'made'), join(more, 'made')].map((path) => readFileSync(path, 'utf8'))).toEqual([
        'a\n',
        'b\n'
      ])
    } finally {
      rmSync(more, { recursive: true })
    }
  })

  test('hides what it is told to hide, and takes the network away', async () => {
    const secret = join(folder, 'secret')
    writeFileSync(secret, 'TOPSECRET')
    const args = ['--sandbox', 'read-only', '--hide', secret, '--network', 'none']
    const command = `cat ${secret} 2>/dev/null; tail -n +3 /proc/net/dev | cut -d: -f1 | tr -d ' '`
    expect((await cli(['sh', ...node, ...args, command])).stdout).toBe('lo\n')
  })

  test('tells with --json how the command was confined', async () => {
    const args = ['sh', ...node, '--json', '--sandbox', 'read-only']
    const confined = JSON.parse((await cli([...args, 'true'])).stdout)
    expect(confined.sandbox).toMatchObject({ mode: 'read-only', denied: false, backend: expect.any(String) })
    const free = JSON.parse((await cli(['sh', ...node, '--json', '--sandbox', 'danger-full-access', 'true'])).stdout)
    expect(free.sandbox).toEqual({ mode: 'danger-full-access', denied: false })
  })

  it.each([
    [['--sandbox', 'none'], /Allowed choices are read-only, workspace-write, danger-full-access/],
    [['--hide', '/etc'], /--hide and --network none need --sandbox/],
    [['--sandbox', 'danger-full-access', '--network', 'none'], /--hide and --network none need --sandbox/],
    [['--sandbox', 'read-only', '--writable', '/opt'], /--writable needs --sandbox workspace-write/],
    [['--sandbox', 'read-only', '--hide', ''], /must not be empty/],
    [
      ['--sandbox', 'workspace-write', '--cwd', '/'],
      /no sandbox for the mode workspace-write .*\n.*leaves nothing to confine/
    ]
  ])('is 125 with %j, and nothing runs', async (options, reason) => {
    const result = await cli(['sh', ...node, ...options, `touch ${folder}/ran`])
    expect({ ...result, ran: existsSync(join(folder, 'ran')) }).toEqual({
      ...quiet,
      status: 125,
      stderr: expect.stringMatching(reason),
      ran: false
    })
  })
})
