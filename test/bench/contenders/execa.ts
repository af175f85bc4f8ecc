// execa. Its commands as most use it; a flood through its streams, since it would otherwise end a command that writes 100 MB.

import type { Readable } from 'node:stream'
import { execa } from 'execa'
import { runContender } from '../measure/contender.js'
import { tailOf } from '../measure/tail.js'

await runContender({
  waitsFor: 'child and its pipes',
  command: async () => void (await execa('bash', ['-c', ':'], { stdin: 'ignore' })),
  flood: async ([program = '', ...args]) => {
    const child = execa(program, args, { stdin: 'ignore', buffer: false })
    const stdout = tailOf(child.stdout as Readable)
    const stderr = tailOf(child.stderr as Readable)
    await child
    stdout.text()
    stderr.text()
    return stdout.totalBytes
  }
})
