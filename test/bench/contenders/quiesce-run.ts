// This library as most will use it: `ctx.shell.run`, with its defaults, a spill file for what overflows included.

import { createContext } from 'quiesce'
import { runContender } from '../measure/contender.js'

const context = await createContext()
const { shell, subprocess } = context

async function run(command: string): Promise<number> {
  const result = await shell.run({ command })
  if (result.exitCode !== 0) throw new Error(`${command} ended with ${JSON.stringify(result)}`)
  return result.stdout.totalBytes
}

await runContender({
  waitsFor: 'child and its pipes',
  note: `${subprocess.constructor.name}, ${subprocess.range.kind} range, spills what overflows up to 64 MiB`,
  command: async () => void (await run(':')),
  flood: (argv) => run(argv.join(' ')),
  dispose: () => context.dispose()
})
