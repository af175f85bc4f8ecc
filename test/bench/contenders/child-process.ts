// Node's own child_process, used as most programs use it: pipes, chunks kept up to a limit, the `close` event. Each command
// in a session of its own, as a program must have it that wants to end a command as a whole. No cgroup: Node has no such thing.

import { spawn } from 'node:child_process'
import { runContender } from '../measure/contender.js'
import { floodArgv } from '../measure/flood.js'

const keptBytes = 64_000

class Tail {
  totalBytes = 0
  #chunks: Buffer[] = []
  #keptBytes = 0

  add(chunk: Buffer): void {
    this.totalBytes += chunk.length
    this.#chunks.push(chunk)
    this.#keptBytes += chunk.length
    while (this.#keptBytes - (this.#chunks[0]?.length ?? 0) >= keptBytes) {
      this.#keptBytes -= this.#chunks.shift()?.length ?? 0
    }
  }

  text(): string {
    return Buffer.concat(this.#chunks).subarray(-keptBytes).toString('utf8')
  }
}

function run(argv: readonly string[]): Promise<Tail> {
  const [program = '', ...rest] = argv
  return new Promise((resolve, reject) => {
    const child = spawn(program, rest, { stdio: ['ignore', 'pipe', 'pipe'], detached: true })
    const stdout = new Tail()
    const stderr = new Tail()
    child.stdout.on('data', (chunk: Buffer) => stdout.add(chunk))
    child.stderr.on('data', (chunk: Buffer) => stderr.add(chunk))
    child.on('error', reject)
    child.on('close', (code) => {
      if (code !== 0) return reject(new Error(`${program} exited with ${code}: ${stderr.text()}`))
      stdout.text()
      stderr.text()
      resolve(stdout)
    })
  })
}

await runContender({
  command: async () => void (await run(['bash', '-c', ':'])),
  flood: async (bytes) => (await run(floodArgv(bytes))).totalBytes
})
