// The runtime that needs nothing but Node: child_process, process groups, pipes read on the event loop. It keeps the
// whole contract with two limits that its facts name: a process that leaves its group is not seen, and CPU and memory are
// not known. A third it cannot see: what the host itself was started with beyond descriptor 2, a command inherits too.

import { tmpdir } from 'node:os'
import { rangeUnavailable } from '../../errors/range-unavailable.js'
import type { DriverEvents, PreparedSpawn, ProcessDriver } from '../local/driver.js'
import { FallbackUnavailableError, isBun } from '../local/host-program.js'
import { LocalSubprocessRuntime } from '../local/local-runtime.js'
import type { LocalRuntimeOptions } from '../local/options.js'
import type { RangeReport } from '../types.js'
import type { Collector } from './collector.js'
import { NodeDriver } from './node-driver.js'
import { PipePool } from './pipe-pool.js'
import { RangeWatch } from './range-watch.js'

const report: RangeReport = {
  kind: 'group',
  reasons: [
    { kind: 'cgroup', reason: 'child_process cannot start a command inside a cgroup; the native core can' },
    { kind: 'scope', reason: 'this runtime does not use the systemd user manager' },
    { kind: 'supervisor', reason: 'child_process cannot make itself the parent of what a command leaves behind' }
  ]
}

export class NodeSubprocessRuntime extends LocalSubprocessRuntime {
  readonly range = report
  readonly #watch = new RangeWatch()
  readonly #pipes: PipePool
  readonly #tempDirs: readonly string[]
  /** Streams that may still be read, also those of commands that are long over. */
  readonly #open = new Set<Collector>()

  constructor(options: LocalRuntimeOptions = {}) {
    super(options)
    if (isBun) throw new FallbackUnavailableError()
    const { ranges, spillDir } = options
    if (ranges !== undefined && !ranges.includes('group')) {
      throw rangeUnavailable(
        ranges,
        ['group'],
        report.reasons.filter(({ kind }) => ranges.includes(kind)).map(({ reason }) => reason)
      )
    }
    this.#tempDirs = [tmpdir(), ...(spillDir === undefined ? [] : [spillDir]), '/dev/shm']
    this.#pipes = new PipePool()
  }

  protected start(prepared: PreparedSpawn, events: DriverEvents): ProcessDriver {
    const driver = new NodeDriver(prepared, events, {
      watch: this.#watch,
      pipes: this.#pipes,
      spillFolder: this.spillFolder,
      tempDirs: this.#tempDirs
    })
    for (const collector of driver.collectors) {
      this.#open.add(collector)
      collector.onEnd(() => void collector.flushed().then(() => this.#open.delete(collector)))
    }
    return driver
  }

  protected async close(): Promise<void> {
    this.#watch.close()
    await Promise.all([...this.#open].map((collector) => collector.close()))
    await this.#pipes.close()
  }

  protected override closeSync(): void {
    this.#pipes.closeSync()
  }
}
