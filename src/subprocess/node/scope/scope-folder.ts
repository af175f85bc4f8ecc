// The cgroup folder of one scope, which belongs to the user like the manager that made it: the members are read, signalled and
// killed here, with the event loop waiting for the kernel alone. A folder that is not there any more has no members.

import * as fs from 'node:fs'
import { join } from 'node:path'

/** Members that are born meanwhile are met by the next round; who forks faster than this is met by the KILL. */
const rounds = 10

/** What can be done to a scope that is known. */
export interface Scope {
  /** Zombies are no members. What cannot be told counts as populated. */
  populated(): boolean
  /** Each member gets the signal once. Returns why a member could not be signalled. */
  signal(signal: NodeJS.Signals): Error | null
  /** All members at one moment, those included that are being born. Returns why they could not be killed. */
  kill(): Error | null
}

export class ScopeFolder implements Scope {
  readonly path: string

  constructor(path: string) {
    this.path = path
  }

  populated(): boolean {
    try {
      return !/^populated 0$/m.test(fs.readFileSync(join(this.path, 'cgroup.events'), 'latin1'))
    } catch (error) {
      return !isGone(error)
    }
  }

  signal(signal: NodeJS.Signals): Error | null {
    const met = new Set<number>()
    let failure: Error | null = null
    for (let round = 0; round < rounds; round++) {
      const fresh = this.#members().filter((pid) => !met.has(pid))
      if (fresh.length === 0) break
      for (const pid of fresh) {
        met.add(pid)
        failure = send(pid, signal) ?? failure
      }
    }
    return failure
  }

  kill(): Error | null {
    try {
      fs.writeFileSync(join(this.path, 'cgroup.kill'), '1', { flag: 'r+' })
      return null
    } catch {
      // compat(kernel < 5.14): no cgroup.kill. Or there is no folder, and then no member either.
      return this.signal('SIGKILL')
    }
  }

  #members(folder = this.path): number[] {
    try {
      const own = fs.readFileSync(join(folder, 'cgroup.procs'), 'latin1').split('\n').map(Number)
      const below = fs.readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory())
      // 0 is a process that has no number here; to kill(2) it would mean the host's own group.
      return [...own.filter((pid) => pid > 0), ...below.flatMap(({ name }) => this.#members(join(folder, name)))]
    } catch {
      return []
    }
  }
}

function send(pid: number, signal: NodeJS.Signals): Error | null {
  try {
    process.kill(pid, signal)
    return null
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ESRCH' ? null : (error as Error)
  }
}

function isGone(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException
  return code === 'ENOENT' || code === 'ENODEV'
}
