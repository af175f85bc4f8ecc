// Starts a host of prepared commands as any user: a copy of what it needs lies where that user can read it.

import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { once } from 'node:events'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import type { HostAnswer, HostRequest } from './prepared-host.js'

/** What a host is made of, where it was built. */
export interface HostParts {
  readonly program: string
  readonly addon: string
  readonly runner: string
}

/** The layout of the package, in which the addon and the runner are looked for. */
export function installHost(folder: string, { program, addon, runner }: HostParts): HostParts {
  const release = join(folder, 'build/Release')
  fs.mkdirSync(release, { recursive: true })
  fs.writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  const copied = {
    program: join(folder, 'prepared-host.mjs'),
    addon: join(release, 'quiesce.node'),
    runner: join(release, 'quiesce-runner')
  }
  fs.copyFileSync(program, copied.program)
  fs.copyFileSync(addon, copied.addon)
  fs.copyFileSync(runner, copied.runner)
  return copied
}

export class PreparedHost {
  private constructor(
    private readonly child: ChildProcessByStdio<Writable, Readable, null>,
    private readonly lines: AsyncIterator<string>
  ) {}

  static async start({ program }: HostParts, uid: number, cwd: string): Promise<PreparedHost> {
    const child = spawn(process.execPath, [program], {
      ...{ uid, gid: uid, cwd },
      env: { PATH: process.env.PATH },
      stdio: ['pipe', 'pipe', 'inherit']
    })
    child.stdin.on('error', () => undefined)
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
    if ((await lines.next()).value !== 'ready') throw new Error('the host of prepared commands did not start')
    return new PreparedHost(child, lines)
  }

  async run(request: HostRequest): Promise<HostAnswer> {
    this.child.stdin.write(`${JSON.stringify(request)}\n`)
    const { value } = await this.lines.next()
    if (value === undefined) throw new Error('the host of prepared commands has ended')
    return JSON.parse(value)
  }

  async end(): Promise<void> {
    if (this.child.exitCode !== null || this.child.signalCode !== null) return
    const ended = once(this.child, 'exit')
    this.child.stdin.end()
    await ended
  }
}
