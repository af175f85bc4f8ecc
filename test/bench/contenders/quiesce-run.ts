// This library as most will use it: `ctx.shell.run`, with its defaults, a spill file for what overflows included.

import { createContext } from 'quiesce'
import { runContender } from '../measure/contender.js'
import { floodArgv } from '../measure/flood.js'

const context = await createContext()

async function run(command: string): Promise<number> {
  const result = await context.shell.run({ command })
  if (result.exitCode !== 0) throw new Error(`${command} ended with ${JSON.stringify(result)}`)
  return result.stdout.totalBytes
}

await runContender({
  command: async () => void (await run(':')),
  flood: (bytes) => run(floodArgv(bytes).join(' ')),
  note: () => `${context.subprocess.constructor.name}, ${context.subprocess.range.kind} range`,
  dispose: () => context.dispose()
})
