// Processes outside that attacks aim at: started, asked for their state, ended.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { place } from './place.js'

type Role = 'plain' | 'bare' | 'shares'
type Facts = Readonly<Record<string, string>>

/** How long a live process may take to answer on a busy machine. */
const answerMs = 10_000

const read = (path: string): string => {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

/** State, nice value and the like, by the files of /proc. */
function factsOf(pid: number): Record<string, string> {
  const stat = read(`/proc/${pid}/stat`)
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const state = fields[0] ?? ''
  return {
    state: 'TtZX'.includes(state) ? `not running (${state || 'gone'})` : 'runs',
    nice: fields[16] ?? '',
    oomScore: read(`/proc/${pid}/oom_score_adj`),
    coreLimit: /^Max core.*$/m.exec(read(`/proc/${pid}/limits`))?.[0] ?? '',
    processors: /^Cpus_allowed:.*$/m.exec(read(`/proc/${pid}/status`))?.[0] ?? '',
    groups: read(`/proc/${pid}/cgroup`)
  }
}

export class Victim {
  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    private readonly lines: AsyncIterator<string>,
    readonly facts: Facts
  ) {}

  static async start(role: Role, uid: number, secret: string): Promise<Victim> {
    const child = spawn(place.victim, [role], {
      cwd: place.out,
      uid,
      gid: uid,
      env: { ARENA_SECRET: secret },
      stdio: ['pipe', 'pipe', 'inherit']
    })
    child.stdin.on('error', () => undefined)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    const { value: facts } = await lines.next()
    if (facts === undefined) throw new Error(`the ${role} victim did not start`)
    return new Victim(child, lines, JSON.parse(facts))
  }

  get pid(): number {
    return this.child.pid ?? 0
  }

  /** What it says itself is asked only of one that can answer. */
  async state(asleep: boolean): Promise<Facts> {
    const facts = factsOf(this.pid)
    if (facts.state !== 'runs' || asleep) return facts
    this.child.stdin.write('\n')
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`process ${this.pid} does not answer`)), answerMs)
    })
    const { value } = await Promise.race([this.lines.next(), late])
    clearTimeout(timer)
    return { ...facts, word: value ?? 'ended' }
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const closed = once(this.child, 'exit')
    this.child.kill('SIGKILL')
    await closed
  }
}
