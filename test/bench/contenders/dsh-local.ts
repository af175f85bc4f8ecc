// The local runtime of the DeepSeek Harness, mounted as its README says: a plugin that provides `ctx.subprocess`.

import { Context } from '@deepseek-ai/cordis'
import LocalSubprocessRuntime from '@deepseek-ai/dsh-subprocess-local'
import { runSeamContender, type SeamRuntime } from '../measure/seam.js'

const root = new Context()
const { ctx } = await root.plugin(LocalSubprocessRuntime)
const { subprocess } = ctx as { readonly subprocess: SeamRuntime }

await runSeamContender(subprocess, {
  waitsFor: 'process group, polled',
  dispose: () => root.fiber.dispose()
})
