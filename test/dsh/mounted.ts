// A harness as its packages are meant to be composed, with this library as `ctx.subprocess`: the real shell executor, the real
// tool runtime, job registry and bash tool of npm.

import { Context } from '@deepseek-ai/cordis'
import LocalBashExecutor, { type Config as BashConfig } from '@deepseek-ai/dsh-bash-local'
import LocalJobRegistry from '@deepseek-ai/dsh-jobs-local'
import * as shellEnv from '@deepseek-ai/dsh-shell-env'
import SystemPrompt from '@deepseek-ai/dsh-system-prompt'
import * as toolBash from '@deepseek-ai/dsh-tool-bash'
import ToolRuntime from '@deepseek-ai/dsh-tools'
import { onTestFinished } from 'vitest'
import QuiesceSubprocess, { type QuiesceSubprocessOptions } from '../../src/dsh/index.js'

export interface Harness {
  readonly ctx: Context
  /** Ends everything, as the end of the process would. */
  dispose(): Promise<void>
}

export async function mountSubprocess(options: QuiesceSubprocessOptions = {}): Promise<Harness> {
  const ctx = new Context()
  let disposal: Promise<void> | undefined
  const dispose = (): Promise<void> => {
    disposal ??= ctx.fiber.dispose() as Promise<void>
    return disposal
  }
  onTestFinished(dispose)
  await ctx.plugin(QuiesceSubprocess, options)
  return { ctx, dispose }
}

export async function mountShell(bash: BashConfig = {}, options: QuiesceSubprocessOptions = {}): Promise<Harness> {
  const harness = await mountSubprocess(options)
  await harness.ctx.plugin(LocalBashExecutor, bash)
  return harness
}

export async function mountTool(bash: BashConfig = {}, options: QuiesceSubprocessOptions = {}): Promise<Harness> {
  const harness = await mountShell(bash, options)
  const { ctx } = harness
  await ctx.plugin(SystemPrompt)
  await ctx.plugin(ToolRuntime)
  await ctx.plugin(shellEnv, {})
  await ctx.plugin(LocalJobRegistry, {})
  await ctx.plugin(toolBash, {})
  ctx.jobs.attachController('test')
  return harness
}

export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise((resolve) => setTimeout(resolve, 5))
}
