// An agent on the Vercel AI SDK, with any of its models. The SDK does the loop, and cancels a call that it gives up.
//   npm install ai @ai-sdk/openai, and then:
//   import { openai } from '@ai-sdk/openai'
//   console.log(await runAgent('Which of the tests here is the slowest?', openai('…')))

import { generateText, jsonSchema, stepCountIs, tool } from 'ai'
import { createContext } from 'quiesce'
import { callTool, contextTools, jsonSchemaOf } from 'quiesce/tool'

export async function runAgent(task, model, options = {}) {
  const { cwd = process.cwd(), sandbox = { mode: 'workspace-write' }, abortSignal } = options
  const ctx = await createContext({ cwd, sandbox })
  const session = { id: 'main', cwd }
  const asTool = (ours) =>
    tool({
      description: ours.description,
      inputSchema: jsonSchema(jsonSchemaOf(ours)),
      execute: (input, { abortSignal: signal }) => callTool(ours, input, { signal, session }),
      toModelOutput: ({ output: { text, isError } }) => ({ type: isError ? 'error-text' : 'text', value: text })
    })
  try {
    const tools = Object.fromEntries(contextTools(ctx).map((ours) => [ours.name, asTool(ours)]))
    const { text } = await generateText({ model, prompt: task, tools, stopWhen: stepCountIs(20), abortSignal })
    return text
  } finally {
    await ctx.dispose()
  }
}
