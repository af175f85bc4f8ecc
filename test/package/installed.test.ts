// The package as a user has it: installed from its tarball into an empty project.

import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { install, pack, temporaryFolder, typeCheck, withAddon } from './packed.js'

const folder = temporaryFolder()
const project = install(folder, pack(folder))
/** The same project with nothing built in the package. */
const bare = join(folder, 'bare')
cpSync(project, bare, { recursive: true })
rmSync(join(bare, 'node_modules/quiesce/prebuilds'), { recursive: true, force: true })

interface Ended {
  status: number | null
  stdout: string
  stderr: string
}

/** Runs `program` as a file of `where`; one that does not end by itself is killed and has the status null. */
function runIn(where: string, name: string, program: string): Ended {
  writeFileSync(join(where, name), program)
  const { status, stdout, stderr } = spawnSync(process.execPath, [name], {
    cwd: where,
    encoding: 'utf8',
    timeout: 10_000
  })
  return { status, stdout, stderr }
}

/** Prints which threads and descriptors importing the package and making a context adds: none. */
const idle = `
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import 'zod'
const threads = () => readdirSync('/proc/self/task').map((id) => readFileSync('/proc/self/task/' + id + '/comm', 'utf8')).sort()
const descriptors = () => readdirSync('/proc/self/fd').flatMap((fd) => {
  try { return fd + ' ' + readlinkSync('/proc/self/fd/' + fd) } catch { return [] }
})
const before = [threads(), descriptors()]
const { createContext } = await import('quiesce')
await createContext()
const after = [threads(), descriptors()]
console.log(JSON.stringify({ before, after }))
`

const command = `
import { createContext } from 'quiesce'
const warnings = []
const context = await createContext({ onWarning: (warning) => warnings.push(warning) })
const outputs = []
for (const word of ['one', 'two']) {
  const { exitCode, quiescent, stdout } = await context.shell.run({ command: 'echo ' + word })
  outputs.push({ exitCode, quiescent, text: stdout.text })
}
await context.dispose()
console.log(JSON.stringify({ provider: context.subprocess.constructor.name, outputs, warnings: warnings.length }))
`

const outputs = ['one\n', 'two\n'].map((text) => ({ exitCode: 0, quiescent: true, text }))

describe('the installed package', () => {
  it.each(['quiesce', 'quiesce/tool'])('is imported and required alike as %s', (name) => {
    const program = `
      import { createRequire } from 'node:module'
      import * as imported from '${name}'
      const required = createRequire(import.meta.url)('${name}')
      console.log(JSON.stringify(Object.keys(imported).every((name) => required[name] === imported[name])))
    `
    const { status, stdout } = runIn(project, 'both.mjs', program)
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'true\n' })
  })

  it('gives a model its tools in a few lines', () => {
    const program = `
      import { createContext } from 'quiesce'
      import { callTool, contextTools, jsonSchemaOf } from 'quiesce/tool'
      const context = await createContext({ onWarning: () => {} })
      const tools = contextTools(context)
      const names = tools.map((tool) => tool.name + ' ' + jsonSchemaOf(tool).type)
      const { text } = await callTool(tools[0], { command: 'echo hi; exit 3', description: 'greet' })
      await context.dispose()
      console.log(JSON.stringify({ names, text }))
    `
    const { status, stdout } = runIn(project, 'tools.mjs', program)
    expect({ status, ...JSON.parse(stdout || '{}') }).toEqual({
      status: 0,
      names: ['bash object', 'job_output object', 'job_list object', 'job_kill object'],
      text: 'hi\n[exit code: 3]'
    })
  })

  it('is required by a CommonJS program', () => {
    const program = `console.log(typeof require('quiesce').createContext)`
    const { status, stdout } = runIn(project, 'common.cjs', program)
    expect({ status, stdout }).toEqual({ status: 0, stdout: 'function\n' })
  })

  it('type-checks in a strict program that checks the declarations too', () => {
    const program = `
      import { createContext, type ShellRunResult } from 'quiesce'
      import { type BashOutput, bashTool, contextTools, type Tool } from 'quiesce/tool'
      const context = await createContext({ cwd: '/' })
      const result: ShellRunResult = await context.shell.run({ command: 'true' })
      const code: number | null = result.exitCode
      console.log(code, result.stdout.text)
      const tools: readonly Tool[] = contextTools(context, { promoteOnTimeout: false })
      const output: BashOutput = await bashTool({ shell: context.shell }).execute({ command: 'true', description: 'x' })
      console.log(tools.length, output.kind === 'foreground' ? output.exitCode : output.jobId)
      await context.dispose()
    `
    writeFileSync(join(project, 'typed.ts'), program)
    expect(typeCheck(project, 'typed.ts')).toEqual({ status: 0, stdout: '' })
  })

  it('starts no thread, opens nothing and lets the program end when no command is run', () => {
    const { status, stdout, stderr } = runIn(project, 'idle.mjs', idle)
    const { before, after } = JSON.parse(stdout || '{}')
    expect({ status, stderr, after }).toEqual({ status: 0, stderr: '', after: before })
  })

  withAddon('runs commands through the addon that it carries', () => {
    const { status, stdout } = runIn(project, 'command.mjs', command)
    expect({ status, ...JSON.parse(stdout || '{}') }).toMatchObject({
      status: 0,
      provider: 'NativeSubprocessRuntime',
      outputs
    })
  })

  it('runs commands without the addon after one warning', () => {
    const { status, stdout } = runIn(bare, 'command.mjs', command)
    expect({ status, ...JSON.parse(stdout || '{}') }).toEqual({
      status: 0,
      provider: 'NodeSubprocessRuntime',
      outputs,
      warnings: 1
    })
  })

  it('says without the addon what was tried and how to build it, once, and commands say it on one line', () => {
    const installed = join(bare, 'node_modules/quiesce')
    const [doctor, sh] = [['doctor'], ['sh', 'echo hi']].map((args) => {
      const { stdout, stderr } = spawnSync(process.execPath, [join(installed, 'dist/cli/main.js'), ...args], {
        encoding: 'utf8'
      })
      return { stdout, stderr }
    })
    expect({ tried: doctor?.stdout.match(/no such file/g)?.length, stderr: doctor?.stderr }).toEqual({
      tried: 2,
      stderr: ''
    })
    expect(doctor?.stdout).toContain(
      `           cd "${installed}" && npm install --no-save --save-prod --omit=dev cmake-js node-addon-api ` +
        'node-api-headers && npx cmake-js compile\n'
    )
    expect(sh).toEqual({
      stdout: 'hi\n',
      stderr: expect.stringMatching(/^quiesce: commands run through child_process .*\(there is no build for .*\n$/)
    })
  })

  it('has a command line on the PATH of npm scripts', () => {
    const program = join(project, 'node_modules/.bin/quiesce')
    expect(existsSync(program)).toBe(true)
    expect(execFileSync(program, ['run', '--', 'echo', 'hello'], { encoding: 'utf8' })).toBe('hello\n')
  })
})
