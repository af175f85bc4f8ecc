// Signals to everything that one command consists of, as far as the platform lets a host name it.

import type * as ChildProcess from 'node:child_process'

export interface ProcessTree {
  /** TERM, then CONT: a stopped process could not obey otherwise. */
  terminate(): void
  kill(): void
  /** Whether anything of it exists, zombies included. */
  exists(): boolean
}

/** What of the host decides how a tree is ended, and runs what ends it. */
export interface TreeHost {
  readonly platform: NodeJS.Platform
  /** Returns when the program has ended, however. */
  run(program: string, args: readonly string[]): void
}

const thisHost: TreeHost = {
  platform: process.platform,
  run(program, args) {
    const { spawnSync } = process.getBuiltinModule('node:child_process') as typeof ChildProcess
    spawnSync(program, args, { stdio: 'ignore', windowsHide: true })
  }
}

/** `exited` tells whether the direct command has been reaped, after which its own number may belong to a stranger. */
export function processTree(pid: number, exited: () => boolean, host: TreeHost = thisHost): ProcessTree {
  return host.platform === 'win32' ? new WindowsTree(pid, exited, host) : new ProcessGroup(pid, exited)
}

class ProcessGroup implements ProcessTree {
  readonly #id: number
  readonly #exited: () => boolean

  constructor(id: number, exited: () => boolean) {
    this.#id = id
    this.#exited = exited
  }

  terminate(): void {
    this.#signal('SIGTERM')
    this.#signal('SIGCONT')
  }

  kill(): void {
    this.#signal('SIGKILL')
  }

  exists(): boolean {
    try {
      process.kill(-this.#id, 0)
      return true
    } catch (error) {
      // EPERM: there are processes, of another user.
      return (error as NodeJS.ErrnoException).code !== 'ESRCH'
    }
  }

  #signal(signal: NodeJS.Signals): void {
    if (send(-this.#id, signal) || this.#exited()) return
    send(this.#id, signal)
  }
}

function send(target: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(target, signal)
  } catch {
    return false
  }
}

/** Windows has neither groups nor a polite end: every stage is the forced end of the tree below the command. */
class WindowsTree implements ProcessTree {
  readonly #pid: number
  readonly #exited: () => boolean
  readonly #host: TreeHost

  constructor(pid: number, exited: () => boolean, host: TreeHost) {
    this.#pid = pid
    this.#exited = exited
    this.#host = host
  }

  terminate(): void {
    this.kill()
  }

  kill(): void {
    if (this.#exited()) return
    // Its status would say nothing: a tree that has just ended is as good as one that was ended.
    this.#host.run('taskkill', ['/PID', String(this.#pid), '/T', '/F'])
  }

  exists(): boolean {
    return !this.#exited()
  }
}
