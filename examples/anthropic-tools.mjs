// An agent on Anthropic's tool format. `create` is whatever answers a message: here plain fetch, else `messages.create` of
// the @anthropic-ai/sdk package.
//   ANTHROPIC_API_KEY=… MODEL=… node examples/anthropic-tools.mjs 'Which of the tests here is the slowest?'

import { fileURLToPath } from 'node:url'
import { createContext } from 'quiesce'
import { callTool, contextTools, jsonSchemaOf } from 'quiesce/tool'

export async function runAgent(task, create, { cwd = process.cwd(), sandbox = { mode: 'workspace-write' } } = {}) {
  const ctx = await createContext({ cwd, sandbox })
  try {
    const tools = new Map(contextTools(ctx).map((tool) => [tool.name, tool]))
    const offered = [...tools.values()].map((tool) => ({
      name: tool.name,
      description: tool.description,
      input_schema: jsonSchemaOf(tool)
    }))
    const perform = async ({ id, name, input }) => {
      const { text, isError } = await callTool(tools.get(name), input, { session: { id: 'main', cwd } })
      return { type: 'tool_result', tool_use_id: id, content: text, is_error: isError }
    }
    const messages = [{ role: 'user', content: task }]
    while (true) {
      const { content } = await create({ messages, tools: offered, max_tokens: 4096 })
      messages.push({ role: 'assistant', content })
      const calls = content.filter(({ type }) => type === 'tool_use')
      if (calls.length === 0) return content.map(({ text = '' }) => text).join('')
      messages.push({ role: 'user', content: await Promise.all(calls.map(perform)) })
    }
  } finally {
    await ctx.dispose()
  }
}

async function create(request) {
  const response = await fetch('https://api.anthropic.com/v1/messages', {
    method: 'POST',
    headers: {
      'x-api-key': process.env.ANTHROPIC_API_KEY,
      'anthropic-version': '2023-06-01',
      'content-type': 'application/json'
    },
    body: JSON.stringify({ model: process.env.MODEL, ...request })
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await runAgent(process.argv[2], create))
