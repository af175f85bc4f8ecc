// The examples of vendors' tool formats, each with a model that follows a script and remembers what it was asked.

import { tmpdir } from 'node:os'
import { describe, expect, it } from 'vitest'
import { runAgent as runAnthropic } from '../../examples/anthropic-tools.mjs'
import { runAgent as runOpenAi } from '../../examples/openai-tools.mjs'

const here = { cwd: tmpdir(), sandbox: undefined }
const task = 'How many lines are there?'

interface Request {
  readonly messages: readonly object[]
  readonly tools: readonly object[]
}

/** Answers with `answers`, one after the other. `requests` is what it was asked, as it was at that moment. */
function scripted(answers: readonly object[]) {
  const requests: Request[] = []
  const ask = async (request: Request): Promise<object> => {
    requests.push(structuredClone(request))
    return answers[requests.length - 1] ?? {}
  }
  return { ask, requests }
}

const input = (command: string) => ({ command, description: 'Count' })
const names = ['bash', 'job_output', 'job_list', 'job_kill']

describe('examples/openai-tools.mjs', () => {
  const called = (id: string, name: string, args: string) => ({
    id,
    type: 'function',
    function: { name, arguments: args }
  })

  it('offers the tools, answers every call, and ends with the words of the model', async () => {
    const calls = [
      called('a', 'bash', JSON.stringify(input('seq 5 | wc -l'))),
      called('b', 'bash', JSON.stringify(input('echo oops >&2; exit 2')))
    ]
    const { ask, requests } = scripted([
      { choices: [{ message: { role: 'assistant', content: null, tool_calls: calls } }] },
      { choices: [{ message: { role: 'assistant', content: 'Five.' } }] }
    ])
    expect(await runOpenAi(task, ask, here)).toBe('Five.')
    expect(requests[0]).toMatchObject({
      messages: [{ role: 'user', content: task }],
      tools: names.map((name) => ({ type: 'function', function: { name, parameters: { type: 'object' } } }))
    })
    expect(requests[1]?.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: '5\n' },
      { role: 'tool', tool_call_id: 'b', content: '[stderr]\noops\n[exit code: 2]' }
    ])
  })

  it('answers a call that cannot be made with what is wrong about it', async () => {
    const calls = [
      called('a', 'bash', '{"command": "tru'),
      called('b', 'bash', '{"command": 5}'),
      called('c', 'shell', '{}')
    ]
    const { ask, requests } = scripted([
      { choices: [{ message: { role: 'assistant', content: null, tool_calls: calls } }] },
      { choices: [{ message: { role: 'assistant', content: 'Sorry.' } }] }
    ])
    expect(await runOpenAi(task, ask, here)).toBe('Sorry.')
    expect(requests[1]?.messages.slice(2)).toEqual([
      { role: 'tool', tool_call_id: 'a', content: expect.stringMatching(/must be an object.*"command": "tru/) },
      { role: 'tool', tool_call_id: 'b', content: expect.stringMatching(/command/) },
      { role: 'tool', tool_call_id: 'c', content: 'there is no tool of this name' }
    ])
  })
})

describe('examples/anthropic-tools.mjs', () => {
  const used = (id: string, name: string, args: object) => ({ type: 'tool_use', id, name, input: args })

  it('offers the tools, answers every call, and ends with the words of the model', async () => {
    const uses = [used('a', 'bash', input('seq 5 | wc -l')), used('b', 'bash', { command: 5 }), used('c', 'shell', {})]
    const { ask, requests } = scripted([
      { content: [{ type: 'text', text: 'Let me count.' }, ...uses], stop_reason: 'tool_use' },
      { content: [{ type: 'text', text: 'Five.' }], stop_reason: 'end_turn' }
    ])
    expect(await runAnthropic(task, ask, here)).toBe('Five.')
    expect(requests[0]).toMatchObject({
      messages: [{ role: 'user', content: task }],
      tools: names.map((name) => ({ name, input_schema: { type: 'object' } }))
    })
    expect(requests[1]?.messages[2]).toEqual({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: 'a', content: '5\n', is_error: false },
        { type: 'tool_result', tool_use_id: 'b', content: expect.stringMatching(/command/), is_error: true },
        { type: 'tool_result', tool_use_id: 'c', content: 'there is no tool of this name', is_error: true }
      ]
    })
  })
})
