// The sandbox of a server, and the person behind the client who may widen it for one command.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { ElicitRequestSchema, type ElicitResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect } from 'vitest'
import { useBuiltCli } from '../cli/built-cli.js'
import { needing } from '../fixtures/sandbox/real-backends.js'
import { connect, temporaryFolder } from './client.js'

useBuiltCli()
const test = needing('native')

/** Two folders, neither in a temporary folder that any command may write to. */
const workspace = (): string => temporaryFolder('/var/tmp')

describe('commands of a server', () => {
  test('may write to the workspace and nowhere else, unless told otherwise', async () => {
    const [inside, outside] = [workspace(), workspace()]
    const { call, client } = await connect(['--cwd', inside])
    expect(client.getInstructions()).toContain('workspace-write')
    expect((await call('bash', { command: 'echo x > made' })).text).toBe('(no output)')
    const { text } = await call('bash', { command: `echo x > ${outside}/made` })
    expect(text).toContain('[sandbox: file access denied under workspace-write mode]')
    expect([inside, outside].map((folder) => existsSync(join(folder, 'made')))).toEqual([true, false])
  })

  test('may write nowhere in read-only, and to what is named beside the workspace', async () => {
    const [inside, named] = [workspace(), workspace()]
    const reading = await connect(['--cwd', inside, '--sandbox', 'read-only'])
    expect((await reading.call('bash', { command: 'echo x > made' })).text).toContain('read-only mode')
    const writing = await connect(['--cwd', inside, '--writable', named])
    expect((await writing.call('bash', { command: `echo x > ${named}/made` })).text).toBe('(no output)')
    expect([inside, named].map((folder) => existsSync(join(folder, 'made')))).toEqual([false, true])
  })
})

describe('a wider mode for one command', () => {
  const outside = (folder: string) => ({
    command: `echo x > ${folder}/made`,
    sandbox_permissions: 'danger-full-access',
    justification: 'The file belongs there.'
  })

  async function asked(answer: ElicitResult): Promise<{ text: string; made: boolean; questions: string[] }> {
    const questions: string[] = []
    const { call } = await connect(['--cwd', workspace()], { elicitation: {} }, (client) =>
      client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
        questions.push(params.message)
        return answer
      })
    )
    const folder = workspace()
    const { text } = await call('bash', outside(folder))
    return { text, made: existsSync(join(folder, 'made')), questions }
  }

  const question = 'escalate sandbox to danger-full-access: The file belongs there.'

  test('is had when the person allows it', async () => {
    const { text, made, questions } = await asked({ action: 'accept', content: { allow: true } })
    expect({ text, made, questions: questions.map((each) => each.includes(question)) }).toEqual({
      text: '(no output)',
      made: true,
      questions: [true]
    })
  })

  for (const answer of [
    { action: 'accept', content: { allow: false } },
    { action: 'decline' },
    { action: 'cancel' }
  ] as const)
    test(`is not had after ${JSON.stringify(answer)}, and nothing runs`, async () => {
      const { text, made, questions } = await asked(answer)
      expect({ made, asked: questions.length }).toEqual({ made: false, asked: 1 })
      expect(text).toMatch(answer.action === 'cancel' ? /cancel/ : /reject|denied|declin/)
    })

  test('is not had from a client that has nobody to ask', async () => {
    const { call } = await connect(['--cwd', workspace()])
    const folder = workspace()
    const { text, isError } = await call('bash', outside(folder))
    expect({ isError, made: existsSync(join(folder, 'made')) }).toEqual({ isError: true, made: false })
    expect(text).toMatch(/approv/)
  })
})
