// The example on the Vercel AI SDK, with the mock model that the SDK brings.

import { randomUUID } from 'node:crypto'
import { tmpdir } from 'node:os'
import { MockLanguageModelV3 } from 'ai/test'
import { expect, it } from 'vitest'
import { runAgent } from '../../examples/vercel-ai.mjs'
import { survivorsOf } from '../fixtures/shell/live-processes.js'

const here = { cwd: tmpdir(), sandbox: undefined }
const usage = {
  inputTokens: { total: 1, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: undefined, reasoning: undefined }
}

function calls(...commands: string[]) {
  const content = commands.map((command, index) => ({
    type: 'tool-call' as const,
    toolCallId: `call-${index}`,
    toolName: 'bash',
    input: JSON.stringify({ command, description: 'Count' })
  }))
  return { content, finishReason: { unified: 'tool-calls' as const, raw: undefined }, usage, warnings: [] }
}

function says(text: string) {
  const content = [{ type: 'text' as const, text }]
  return { content, finishReason: { unified: 'stop' as const, raw: undefined }, usage, warnings: [] }
}

it('runs what the model calls and hands it the text of each result', async () => {
  const model = new MockLanguageModelV3({
    doGenerate: [calls('seq 5 | wc -l', 'cd /nonexistent; exit 3', ' '), says('Five.')]
  })
  expect(await runAgent('How many lines are there?', model, here)).toBe('Five.')
  expect(model.doGenerateCalls[0]?.tools?.map((tool) => tool.name)).toEqual([
    'bash',
    'job_output',
    'job_list',
    'job_kill'
  ])
  const answers = model.doGenerateCalls[1]?.prompt.at(-1)?.content as readonly { output: object }[]
  expect(answers.map(({ output }) => output)).toEqual([
    { type: 'text', value: '5\n' },
    { type: 'text', value: expect.stringMatching(/^\[stderr\]\n.*No such file or directory\n\[exit code: 3\]$/s) },
    { type: 'error-text', value: expect.stringMatching(/command/) }
  ])
})

it('ends a command whose run is aborted', async () => {
  const mark = `MARK=${randomUUID()}`
  const model = new MockLanguageModelV3({
    doGenerate: [calls(`export ${mark}; bash -c 'sleep 60; :'; :`), says('Never.')]
  })
  const controller = new AbortController()
  const running = runAgent('Sleep.', model, { ...here, abortSignal: controller.signal })
  while (survivorsOf(mark).length < 2) await new Promise((resolve) => setTimeout(resolve, 5))
  controller.abort()
  await expect(running).rejects.toThrow()
  expect(survivorsOf(mark)).toEqual([])
})
