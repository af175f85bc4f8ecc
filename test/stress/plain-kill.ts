// What the machine itself needs to kill many processes: one signal to a process group, without anything in between.

import { spawn } from 'node:child_process'
import { once } from 'node:events'

/** Milliseconds from the KILL until nobody holds the output of `argv` any more, which says `upBytes` when all of it is up. */
export async function plainKillMs(argv: readonly string[], upBytes: number): Promise<number> {
  const [program = '', ...args] = argv
  const child = spawn(program, args, { detached: true, stdio: ['ignore', 'pipe', 'inherit'] })
  let upCount = 0
  await new Promise<void>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      upCount += chunk.length
      if (upCount >= upBytes) resolve()
    })
  })
  const killedAt = performance.now()
  const closed = once(child, 'close')
  process.kill(-(child.pid as number), 'SIGKILL')
  await closed
  return performance.now() - killedAt
}
