// tinyexec. It keeps whatever a command writes, as one string.

import type { SpawnOptions } from 'node:child_process'
import { x } from 'tinyexec'
import { runContender } from '../measure/contender.js'

const nodeOptions: SpawnOptions = { stdio: ['ignore', 'pipe', 'pipe'] }
const run = (program: string, args: readonly string[]) => x(program, args, { throwOnError: true, nodeOptions })

await runContender({
  waitsFor: 'child and its pipes',
  note: 'keeps all of a flood, as a string',
  command: async () => void (await run('bash', ['-c', ':'])),
  flood: async ([program = '', ...args]) => (await run(program, args)).stdout.length
})
