// nano-spawn. It keeps whatever a command writes, as one string.

import spawn from 'nano-spawn'
import { runContender } from '../measure/contender.js'

await runContender({
  waitsFor: 'child and its pipes',
  note: 'keeps all of a flood, as a string',
  command: async () => void (await spawn('bash', ['-c', ':'], { stdin: 'ignore' })),
  flood: async ([program = '', ...args]) => (await spawn(program, args, { stdin: 'ignore' })).stdout.length
})
