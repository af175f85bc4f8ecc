// Units that may stay behind: a process that is ended while systemd is still putting it into its scope leaves a scope that
// is active and empty, and systemd (252) does not notice. Such units are stopped once, some in one call, and nobody waits for
// that but a disposal. A unit whose command has begun needs none of this.

import type * as ChildProcess from 'node:child_process'
import { clientEnvironment } from './user-manager.js'

const delayMs = 200
/** Of a disposal or an exit of the host, where the manager does not answer. */
const patienceMs = 1000

export class ScopeUnits {
  /** Asked for, and not known to have come. */
  readonly #starting = new Set<string>()
  /** Their process has ended before it was known that they had come. */
  readonly #doubtful = new Set<string>()
  readonly #clients = new Set<ChildProcess.ChildProcess>()
  #timer: NodeJS.Timeout | null = null

  asked(unit: string): void {
    this.#starting.add(unit)
  }

  begun(unit: string): void {
    this.#starting.delete(unit)
  }

  neverBegun(unit: string): void {
    if (!this.#starting.delete(unit)) return
    this.#doubtful.add(unit)
    this.#timer ??= setTimeout(() => this.#stopAll()?.unref(), delayMs).unref()
  }

  /** Resolves when the units have been told to stop. */
  async close(): Promise<void> {
    this.#stopAll()
    for (const client of this.#clients) client.ref()
    await Promise.all([...this.#clients].map((client) => new Promise((resolve) => client.on('close', resolve))))
  }

  #stopAll(): ChildProcess.ChildProcess | null {
    const { spawn } = process.getBuiltinModule('node:child_process') as typeof ChildProcess
    const units = this.#take()
    if (units.length === 0) return null
    const { program, args, options } = stop(units)
    const client = spawn(program, args, options)
    this.#clients.add(client)
    // Whatever it says: a unit that is not there is what is wanted, and there is no second way.
    return client.on('error', () => {}).on('close', () => this.#clients.delete(client))
  }

  /** At the exit of the host, after everything has been killed. */
  closeSync(): void {
    for (const unit of this.#starting) this.#doubtful.add(unit)
    const { spawnSync } = process.getBuiltinModule('node:child_process') as typeof ChildProcess
    const units = this.#take()
    if (units.length === 0) return
    const { program, args, options } = stop(units)
    spawnSync(program, args, options)
  }

  #take(): string[] {
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
    const units = [...this.#doubtful]
    this.#doubtful.clear()
    return units
  }
}

function stop(units: readonly string[]) {
  const options = { env: clientEnvironment(), stdio: 'ignore', timeout: patienceMs, killSignal: 'SIGKILL' } as const
  return { program: 'systemctl', args: ['--user', 'stop', '--no-block', '--', ...units], options }
}
