import { expect, it } from 'vitest'
import { callTool } from '../../src/tool/index.js'

it('answers a call of a tool that does not exist with an error that the model can read', async () => {
  expect(await callTool(undefined, { command: 'true' })).toEqual({
    text: 'there is no tool of this name',
    isError: true,
    presentation: { kind: 'generic', title: 'tool call', body: 'there is no tool of this name', isError: true }
  })
})
