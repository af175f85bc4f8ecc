// The runtime that needs nothing but Node: child_process, pipes read on the event loop, a systemd scope for each command
// where the user has a manager, a process group elsewhere. It keeps the whole contract with two limits that its facts name:
// a process that leaves its group is not seen, and CPU and memory are not known. A third it cannot see: what the host itself
// was started with beyond descriptor 2, a command inherits too.

import { tmpdir } from 'node:os'
import { dirname } from 'node:path'
import type { DriverEvents, PreparedSpawn, ProcessDriver } from '../local/driver.js'
import { FallbackUnavailableError, isBun } from '../local/host-program.js'
import { LocalSubprocessRuntime } from '../local/local-runtime.js'
import type { LocalRuntimeOptions } from '../local/options.js'
import { sweepSpillFolders } from '../local/spill-leftovers.js'
import type { LocalTerminal, PreparedTerminal } from '../local/terminal-driver.js'
import { warnOfWeakRange } from '../native/range-warning.js'
import type { RangeReport } from '../types.js'
import type { Collector } from './collector.js'
import { GroupLaunch, type Launch } from './launch.js'
import { NodeDriver } from './node-driver.js'
import { checkNodeRanges, isAllowed, nodeRange } from './node-range.js'
import { PipePool } from './pipe-pool.js'
import { RangeWatch } from './range-watch.js'
import { doubtScopes } from './scope/probe.js'
import { ScopeLaunch, type ScopeResources } from './scope/scope-launch.js'
import { ScopeUnits } from './scope/scope-units.js'
import { startNodeTerminal } from './terminal/start.js'

export class NodeSubprocessRuntime extends LocalSubprocessRuntime {
  readonly #options: LocalRuntimeOptions
  /** Of what earlier hosts left that were killed. */
  #sweep: Promise<void> | null = null
  readonly #watch = new RangeWatch()
  readonly #pipes: PipePool
  readonly #tempDirs: readonly string[]
  readonly #scopes: ScopeResources
  /** Streams that may still be read, also those of commands that are long over. */
  readonly #open = new Set<Collector>()

  constructor(options: LocalRuntimeOptions = {}) {
    super(options)
    if (isBun) throw new FallbackUnavailableError()
    checkNodeRanges(options.ranges)
    this.#options = options
    const { spillDir } = options
    this.#tempDirs = [tmpdir(), ...(spillDir === undefined ? [] : [spillDir]), '/dev/shm']
    this.#pipes = new PipePool()
    this.#scopes = { tempDirs: this.#tempDirs, units: new ScopeUnits(), refused: doubtScopes }
  }

  /** Looked for anew each time: a user's manager goes when the user has logged out. */
  get range(): RangeReport {
    const { ranges, onWarning } = this.#options
    const report = nodeRange(ranges)
    if (report.kind === 'group' && ranges === undefined) warnOfWeakRange(report, onWarning)
    return report
  }

  protected start(prepared: PreparedSpawn, events: DriverEvents): ProcessDriver {
    this.#sweep ??= sweepSpillFolders(dirname(this.spillFolder.path))
    const driver = new NodeDriver(prepared, events, {
      launch: this.#launch(prepared),
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

  #launch(prepared: PreparedSpawn): Launch {
    // Whoever does not allow groups has the command fail rather than run in one.
    const scoped = this.range.kind === 'scope' || !isAllowed(this.#options.ranges, 'group')
    return scoped ? new ScopeLaunch(prepared, this.#scopes) : new GroupLaunch(prepared)
  }

  protected override startTerminal(prepared: PreparedTerminal): Promise<LocalTerminal> {
    return startNodeTerminal(prepared)
  }

  protected async close(): Promise<void> {
    this.#watch.close()
    await this.#sweep
    await Promise.all([...this.#open].map((collector) => collector.close()))
    await this.#pipes.close()
    await this.#scopes.units.close()
  }

  protected override closeSync(): void {
    this.#pipes.closeSync()
    this.#scopes.units.closeSync()
  }
}
