// The public packages of the DeepSeek Harness as a harness mounts them: their own shell executor, on the runtime that they
// bring or on this library. Each way is loaded whole from one place, since what is in two places are two copies of Cordis.

import { createRequire } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root, sourceFolder } from '../places.js'

export type DshWay = 'local' | 'quiesce'

export interface DshShell {
  readonly command: () => Promise<void>
  dispose(): Promise<void>
}

type Cordis = typeof import('@deepseek-ai/cordis')
type Executor = typeof import('@deepseek-ai/dsh-bash-local')
type Runtime = { readonly default: new (ctx: InstanceType<Cordis['Context']>) => object }

/** The local runtime is a package of the bench alone, beside which the others are installed once more. */
const places: Readonly<Record<DshWay, string>> = { local: join(sourceFolder, 'peers'), quiesce: root }

export async function openDsh(way: DshWay): Promise<DshShell> {
  const { resolve } = createRequire(join(places[way], 'package.json'))
  const load = <T>(name: string): Promise<T> => import(pathToFileURL(resolve(name)).href) as Promise<T>
  const { Context } = await load<Cordis>('@deepseek-ai/cordis')
  const { default: LocalBashExecutor } = await load<Executor>('@deepseek-ai/dsh-bash-local')
  const runtime = await load<Runtime>(way === 'local' ? '@deepseek-ai/dsh-subprocess-local' : 'quiesce/dsh')
  const ctx = new Context()
  await ctx.plugin(runtime.default)
  await ctx.plugin(LocalBashExecutor, {})
  const { shell } = ctx
  return {
    command: async () => {
      const result = await shell.run(shell.resolve({ command: ':' }))
      if (result.exitCode !== 0) throw new Error(`${way}: ${JSON.stringify(result)}`)
    },
    dispose: () => ctx.fiber.dispose() as Promise<void>
  }
}
