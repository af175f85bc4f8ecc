// A local runtime whose commands are scripts of the test: what a driver was told is recorded, what it reports is called.

import type { DriverEvents, DriverExit, PreparedSpawn, ProcessDriver } from '../../../src/subprocess/local/driver.js'
import { LocalSubprocessRuntime } from '../../../src/subprocess/local/local-runtime.js'
import type { LocalRuntimeOptions } from '../../../src/subprocess/local/options.js'
import type { LocalTerminal, PreparedTerminal } from '../../../src/subprocess/local/terminal-driver.js'
import type { RangeReport, TerminationCause } from '../../../src/subprocess/types.js'
import { TailSource } from '../output/tail-source.js'

export const usage = {
  wallMs: 5,
  userMs: null,
  systemMs: null,
  maxRssBytes: null,
  treeCpuMs: null,
  memoryPeakBytes: null,
  pidsPeak: null,
  oomKills: null
}

export class ScriptedDriver implements ProcessDriver {
  pid = 4711
  readonly range = 'group'
  cause: TerminationCause | null = null
  readonly stdin = null
  readonly stdout = null
  readonly stderr = null
  readonly control = null
  readonly source = new TailSource(100)
  readonly output = { stdout: this.source }
  readonly calls: string[] = []
  onTerminate: () => void = () => {}
  onKill: () => void = () => {}

  constructor(
    readonly prepared: PreparedSpawn,
    readonly events: DriverEvents
  ) {}

  terminate(): void {
    this.calls.push('terminate')
    this.onTerminate()
  }

  kill(): void {
    this.calls.push('kill')
    this.onKill()
  }

  settle(exit: Partial<DriverExit> = {}): void {
    this.events.settled({ exitCode: 0, signal: null, cause: null, usage, quiescent: false, ...exit })
  }

  /** Ends at once and as a whole when it is told to. */
  obeys(): this {
    this.onTerminate = () => this.settle({ exitCode: null, signal: 'SIGTERM', cause: 'terminate', quiescent: true })
    return this
  }
}

export class ScriptedRuntime extends LocalSubprocessRuntime {
  readonly range: RangeReport = { kind: 'group', reasons: [] }
  readonly drivers: ScriptedDriver[] = []
  readonly log: string[] = []
  closing: () => void = () => {}

  constructor(options: LocalRuntimeOptions = {}) {
    super(options)
  }

  get spills() {
    return this.spillFolder
  }

  /** The driver of the command that was spawned last. */
  get driver(): ScriptedDriver {
    const driver = this.drivers.at(-1)
    if (driver === undefined) throw new Error('nothing was spawned')
    return driver
  }

  protected start(prepared: PreparedSpawn, events: DriverEvents): ProcessDriver {
    const driver = new ScriptedDriver(prepared, events)
    this.drivers.push(driver)
    return driver
  }

  readonly terminals: PreparedTerminal[] = []
  /** What the next terminal is. */
  terminal: () => Promise<LocalTerminal> = () => Promise.reject(new Error('no terminal was prepared'))

  protected startTerminal(prepared: PreparedTerminal): Promise<LocalTerminal> {
    this.terminals.push(prepared)
    return this.terminal()
  }

  protected async close(): Promise<void> {
    this.log.push('close')
    this.closing()
  }

  protected override closeSync(): void {
    this.log.push('closeSync')
  }
}
