// Deno.Command, in Deno.

import { runContender } from '../measure/contender.js'
import { tailOfWeb } from '../measure/tail.js'

function begin([program = '', ...args]: readonly string[]) {
  const command = new Deno.Command(program, { args, stdin: 'null', stdout: 'piped', stderr: 'piped' })
  const child = command.spawn()
  return { child, streams: Promise.all([tailOfWeb(child.stdout), tailOfWeb(child.stderr)]) }
}

async function run(argv: readonly string[]): Promise<number> {
  const { child, streams } = begin(argv)
  const [[stdout, stderr], { code }] = await Promise.all([streams, child.status])
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
    const { child, streams } = begin(argv)
    return {
      started: Promise.resolve(),
      end: async () => {
        child.kill('SIGTERM')
        await Promise.all([streams, child.status])
      }
    }
  }
})
