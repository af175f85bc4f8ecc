// Node's own child_process, used as most programs use it: pipes, chunks kept up to a limit, the `close` event. Each command
// in a session of its own, as a program must have it that wants to end a command as a whole. No cgroup: Node has no such thing.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { runContender } from '../measure/contender.js'
import { tailOf } from '../measure/tail.js'

function begin(argv: readonly string[]) {
  const [program = '', ...rest] = argv
  const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  return { child, stdout: tailOf(child.stdout), stderr: tailOf(child.stderr) }
}

async function run(argv: readonly string[]): Promise<number> {
  const { child, stdout, stderr } = begin(argv)
  const [code] = await once(child, 'close')
  stdout.text()
  const complaint = stderr.text()
  if (code !== 0) throw new Error(`${argv[0]} exited with ${code}: ${complaint}`)
  return stdout.totalBytes
}

await runContender({
  waitsFor: 'child and its pipes',
  command: async () => void (await run(['bash', '-c', ':'])),
  flood: run,
  start: (argv) => {
    const { child } = begin(argv)
    const closed = once(child, 'close')
    return {
      started: once(child, 'spawn').then(() => {}),
      end: async () => {
        process.kill(-(child.pid ?? 0), 'SIGTERM')
        await closed
      }
    }
  }
})
