// An agent on OpenAI's tool format. `complete` is whatever answers a chat completion: here plain fetch, else the `create`
// of the openai package or of any vendor with the same format.
//   OPENAI_API_KEY=… MODEL=… node examples/openai-tools.mjs 'Which of the tests here is the slowest?'

import { fileURLToPath } from 'node:url'
import { createContext } from 'quiesce'
import { callTool, contextTools, jsonSchemaOf } from 'quiesce/tool'

export async function runAgent(task, complete, { cwd = process.cwd(), sandbox = { mode: 'workspace-write' } } = {}) {
  const ctx = await createContext({ cwd, sandbox })
  try {
    const tools = new Map(contextTools(ctx).map((tool) => [tool.name, tool]))
    const offered = [...tools.values()].map((tool) => ({
      type: 'function',
      function: { name: tool.name, description: tool.description, parameters: jsonSchemaOf(tool) }
    }))
    const perform = async ({ id, function: { name, arguments: input } }) => {
      const { text } = await callTool(tools.get(name), parsed(input), { session: { id: 'main', cwd } })
      return { role: 'tool', tool_call_id: id, content: text }
    }
    const messages = [{ role: 'user', content: task }]
    while (true) {
      const [{ message }] = (await complete({ messages, tools: offered })).choices
      messages.push(message)
      if (!message.tool_calls?.length) return message.content
      messages.push(...(await Promise.all(message.tool_calls.map(perform))))
    }
  } finally {
    await ctx.dispose()
  }
}

/** What is no JSON goes to the tool as it is, which says to the model what is wrong. */
function parsed(input) {
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

async function complete(request) {
  const response = await fetch('https://api.openai.com/v1/chat/completions', {
    method: 'POST',
    headers: { authorization: `Bearer ${process.env.OPENAI_API_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model: process.env.MODEL, ...request })
  })
  if (!response.ok) throw new Error(await response.text())
  return response.json()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) console.log(await runAgent(process.argv[2], complete))
