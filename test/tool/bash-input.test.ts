import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { Context } from '../../src/context/compose-context.js'
import { createContext } from '../../src/context/create-context.js'
import type { BashToolOptions } from '../../src/tool/index.js'
import { bashTool, jsonSchemaOf } from '../../src/tool/index.js'
import { RecordingShell } from '../fixtures/tool/recording-shell.js'

const folder = mkdtempSync(join(tmpdir(), 'quiesce-tool-'))
const context: Context = await createContext({ cwd: folder })
afterAll(async () => {
  await context.dispose()
  rmSync(folder, { recursive: true, force: true })
})

const valid = { command: 'echo hi', description: 'say hi' }

function tool() {
  const shell = new RecordingShell(context.shell)
  return { shell, bash: bashTool({ shell }) }
}

async function refusal(input: unknown, call?: unknown): Promise<unknown> {
  const { shell, bash } = tool()
  const error = await bash.execute(input, call as never).then(
    (output) => output,
    ({ name, code, option, message }) => ({ name, code, option, message })
  )
  expect(shell.executed).toEqual([])
  return error
}

const invalid = (name: string, option: string, message: string) => ({
  ...{ name, code: 'EINVAL', option },
  message: `bash: ${option} ${message}`
})

describe('what is sent', () => {
  it.each([
    [{ ...valid, command: ' \n' }, 'TypeError', 'command', "must be a string that is not blank; got ' \\n'"],
    [{ description: 'x' }, 'TypeError', 'command', 'must be a string that is not blank; got undefined'],
    [
      { ...valid, command: 'a\0b' },
      'TypeError',
      'command',
      "must contain neither NUL bytes nor lone surrogates; got 'a\\x00b'"
    ],
    [{ ...valid, description: '' }, 'TypeError', 'description', "must be a string that is not blank; got ''"],
    [{ command: ':' }, 'TypeError', 'description', 'must be a string that is not blank; got undefined'],
    [{ ...valid, timeoutMs: 0 }, 'RangeError', 'timeoutMs', 'must be a positive finite number; got 0'],
    [{ ...valid, timeoutMs: -1 }, 'RangeError', 'timeoutMs', 'must be a positive finite number; got -1'],
    [{ ...valid, timeoutMs: '5' }, 'TypeError', 'timeoutMs', "must be a positive finite number; got '5'"],
    [{ ...valid, workdir: '' }, 'TypeError', 'workdir', "must be a path that is not blank; got ''"],
    [{ ...valid, run_in_background: 'yes' }, 'TypeError', 'run_in_background', "must be true or false; got 'yes'"]
  ])('as %j is refused before anything runs', async (input, name, option, message) => {
    expect(await refusal(input)).toEqual(invalid(name, option, message))
  })

  it.each([[Number.NaN], [Number.POSITIVE_INFINITY]])('with a timeout of %d is refused', async (timeoutMs) => {
    expect(await refusal({ ...valid, timeoutMs })).toMatchObject({ code: 'EINVAL', option: 'timeoutMs' })
  })

  it.each([[undefined], ['echo hi'], [[valid]], [null]])('as %j is no object and refused', async (input) => {
    expect(await refusal(input)).toMatchObject({
      name: 'TypeError',
      option: 'input',
      message: /^bash: input must be an/
    })
  })

  it('reaches the shell by name alone: other keys arrive and are ignored', async () => {
    const { shell, bash } = tool()
    const more = {
      stdin: 'in',
      env: { A: 'b' },
      dshEnv: { DSH_A: '1' },
      stdoutMaxBytes: 1,
      onExpiry: 'none',
      signal: 5
    }
    const output = await bash.execute({ ...valid, ...more, leftovers: 'terminate', limits: { pids: 1 }, __proto__: {} })
    expect(output).toMatchObject({ kind: 'foreground', exitCode: 0 })
    expect(shell.requests).toEqual([
      {
        ...{ command: 'echo hi', workdir: undefined, timeoutMs: undefined, sandboxPolicy: undefined },
        ...{ dshEnv: undefined, signal: undefined }
      }
    ])
  })

  it.each([
    [{ sandbox_permissions: 'workspace-write', justification: 'to build' }, /^invalid escalation: commands are not/],
    [{ sandbox_permissions: 'workspace-write' }, /^invalid justification: an escalation needs one$/],
    [{ justification: 'to build' }, /^invalid escalation: a justification needs a mode$/]
  ])('as %j asks for an escalation that cannot be had here', async (more, message) => {
    expect(await refusal({ ...valid, ...more })).toMatchObject({ code: 'ESCALATION_REFUSED', message })
  })

  it('asks for a background command where there is no registry: an error that says so', async () => {
    expect(await refusal({ ...valid, run_in_background: true })).toEqual({
      ...{ name: 'BackgroundUnavailableError', code: 'BACKGROUND_UNAVAILABLE', option: undefined },
      message: 'bash: run_in_background is not possible: there is no registry of background jobs'
    })
    expect(await tool().bash.execute({ ...valid, run_in_background: false })).toMatchObject({ kind: 'foreground' })
  })
})

describe('what a call brings along', () => {
  it.each([
    [{ signal: {} }, 'call.signal'],
    [{ session: 's1' }, 'call.session'],
    [{ session: {} }, 'call.session.id'],
    [{ session: { id: '' } }, 'call.session.id'],
    [{ session: { id: 's', cwd: '' } }, 'call.session.cwd'],
    [5, 'call']
  ])('as %j is refused', async (call, option) => {
    expect(await refusal(valid, call)).toMatchObject({ name: 'TypeError', code: 'EINVAL', option })
  })
})

describe('the schemas', () => {
  it('of a tool without sandbox and jobs advertise what it can do, in plain JSON Schema', () => {
    const schema = jsonSchemaOf(tool().bash)
    expect(schema).toEqual({
      $schema: 'https://json-schema.org/draft/2020-12/schema',
      type: 'object',
      properties: {
        command: { type: 'string', description: expect.any(String) },
        description: { type: 'string', description: expect.any(String) },
        timeoutMs: { type: 'number', exclusiveMinimum: 0, description: expect.any(String) },
        workdir: { type: 'string', description: expect.any(String) }
      },
      required: ['command', 'description']
    })
  })

  it('of the output hold what a call gives, and nothing more', async () => {
    const { bash } = tool()
    const output = await bash.execute({ ...valid, command: 'head -c 70000 /dev/zero; echo err >&2; exit 3' })
    expect(bash.outputSchema.parse(output)).toEqual(output)
    expect(bash.outputSchema.safeParse({ ...output, more: 1 }).success).toBe(false)
    expect(bash.outputSchema.safeParse({ ...output, aborted: true }).success).toBe(false)
    expect(jsonSchemaOf(bash, 'output')).toMatchObject({ oneOf: [{}, {}, {}] })
    expect(JSON.parse(JSON.stringify(output))).toEqual(output)
  })
})

describe('the options', () => {
  const { shell } = context
  it.each([
    [{}, 'shell must be a ShellExecutor; got undefined'],
    [{ shell: {} }, 'shell must be a ShellExecutor; got {}'],
    [{ shell, jobs: {} }, 'jobs must be a JobRegistry; got {}'],
    [{ shell, sandboxPolicy: {} }, 'sandboxPolicy must be a SandboxPolicyService; got {}'],
    [{ shell, environment: {} }, 'environment must be made by shellEnvironment; got {}'],
    [{ shell, background: 1 }, 'background must be true or false; got 1'],
    [{ shell, promoteOnTimeout: 'no' }, "promoteOnTimeout must be true or false; got 'no'"],
    [{ shell, timeout: 5 }, 'timeout is an unknown option; got 5'],
    [undefined, 'options must be an object; got undefined']
  ])('%# are refused when the tool is made', (options, message) => {
    expect(() => bashTool(options as unknown as BashToolOptions)).toThrow(
      expect.objectContaining({ code: 'EINVAL', message })
    )
  })

  it('with a shell that confines need the service that says under which policy', async () => {
    const confined = await createContext({ sandbox: {} })
    const message = 'sandboxPolicy must be given, since the shell confines its commands; got undefined'
    expect(() => bashTool({ shell: confined.shell })).toThrow(expect.objectContaining({ code: 'EINVAL', message }))
    const { shell, sandboxPolicy } = confined
    expect(jsonSchemaOf(bashTool({ shell, sandboxPolicy })).properties).toMatchObject({
      sandbox_permissions: { type: 'string', enum: ['workspace-write', 'danger-full-access'] },
      justification: { type: 'string' }
    })
  })
})
