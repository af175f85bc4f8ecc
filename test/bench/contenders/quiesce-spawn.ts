// This library at its lower seam: argv in, both streams collected, each command waited for until its range is proven empty.

import { createContext } from 'quiesce'
import { runContender } from '../measure/contender.js'
import { floodArgv } from '../measure/flood.js'

const context = await createContext()
// As the C limit gets it.
const bash = await context.subprocess.resolveExecutable('bash')
const collect = { maxBytes: 64_000 }
const spec = {
  cwd: process.cwd(),
  stdio: { stdin: 'ignore', stdout: collect, stderr: collect },
  graceMs: 3000
} as const

async function run(argv: readonly string[]): Promise<number> {
  const handle = context.subprocess.spawn({ ...spec, argv })
  const outcome = await handle.done
  if (outcome.exitCode !== 0) throw new Error(`${argv[0]} ended with ${JSON.stringify(outcome)}`)
  handle.collected.stdout?.readFrom(0)
  handle.collected.stderr?.readFrom(0)
  await handle.waitForExit()
  return handle.collected.stdout?.totalBytes ?? 0
}

await runContender({
  command: async () => void (await run([bash, '-c', ':'])),
  flood: (bytes) => run(floodArgv(bytes)),
  note: () => `${context.subprocess.constructor.name}, ${context.subprocess.range.kind} range`,
  dispose: () => context.dispose()
})
