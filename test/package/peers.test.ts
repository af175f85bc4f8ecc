// The parts of the package that stand on packages which a user installs for them alone: without those and with them.

import { spawnSync } from 'node:child_process'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../setup/source-imports.js'
import { install, pack, temporaryFolder, typeCheck } from './packed.js'

const folder = temporaryFolder()
const project = install(folder, pack(folder))
const modules = join(project, 'node_modules')

function run(file: string, args: readonly string[] = [], input = '') {
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, ...args], {
    cwd: project,
    encoding: 'utf8',
    input,
    timeout: 20_000
  })
  return { status, stdout, stderr }
}

function runProgram(name: string, program: string) {
  writeFileSync(join(project, name), program)
  return run(name)
}

const cli = join(modules, 'quiesce/dist/cli/main.js')

/** They have dependencies of their own, which are found from where they really are. */
const bring = (scope: string): void => symlinkSync(join(root, 'node_modules', scope), join(modules, scope))

const mounted = `
  import { Context } from '@deepseek-ai/cordis'
  import LocalBashExecutor from '@deepseek-ai/dsh-bash-local'
  import QuiesceSubprocess from 'quiesce/dsh'

  const ctx = new Context()
  await ctx.plugin(QuiesceSubprocess, { onWarning: () => {} })
  await ctx.plugin(LocalBashExecutor, {})
  const result = await ctx.shell.run(ctx.shell.resolve({ command: 'echo hi; exit 3' }))
  await ctx.fiber.dispose()
  const text: string = result.stdout.text
  console.log(text, result.exitCode)
`

describe('quiesce mcp', () => {
  it('says without the SDK how to get it, on stderr', () => {
    expect(run(cli, ['mcp'])).toEqual({
      status: 125,
      stdout: '',
      stderr: expect.stringMatching(
        /^quiesce: an MCP server needs the package @modelcontextprotocol\/sdk .*npm install @modelcontextprotocol\/sdk.*\n$/
      )
    })
  })

  it('serves with it', () => {
    bring('@modelcontextprotocol')
    const client = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } }
    const messages = [
      { jsonrpc: '2.0', id: 1, method: 'initialize', params: client },
      { jsonrpc: '2.0', method: 'notifications/initialized' },
      { jsonrpc: '2.0', id: 2, method: 'tools/list' }
    ]
    const input = messages.map((message) => `${JSON.stringify(message)}\n`).join('')
    const { status, stdout } = run(cli, ['mcp'], input)
    const answers = stdout.split('\n').filter((line) => line !== '')
    expect({ status, ids: answers.map((line) => JSON.parse(line).id) }).toEqual({ status: 0, ids: [1, 2] })
  })
})

describe('quiesce/dsh', () => {
  it('fails to be imported without the packages that it is for, by the name of one', () => {
    const { status, stderr } = runProgram('alone.mjs', `await import('quiesce/dsh')`)
    expect({ status, stderr }).toEqual({
      status: 1,
      stderr: expect.stringMatching(/@deepseek-ai\/dsh-subprocess/)
    })
  })

  it('runs the executor of the harness as its README says', () => {
    bring('@deepseek-ai')
    const { status, stdout } = runProgram('mounted.mjs', mounted.replace(': string', ''))
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'hi\n 3\n' })
  })

  it('type-checks where it is mounted', () => {
    writeFileSync(join(project, 'mounted.ts'), mounted)
    // The peers' own declarations are not ours to check.
    expect(typeCheck(project, 'mounted.ts', '--skipLibCheck')).toEqual({ status: 0, stdout: '' })
  })
})
