// The provider over the C++ core: commands in cgroups where this host has them, in process groups elsewhere.

import { constants } from 'node:os'
import { resolve } from 'node:path'
import { invalidType } from '../../errors/invalid-input.js'
import { SubprocessError } from '../../errors/subprocess-error.js'
import { eventField, type NativeBinding, type NativeProcess, type NativeRuntime } from '../../native/binding.js'
import { loadAddon } from '../../native/load.js'
import { runnerPath } from '../../native/runner-path.js'
import type { DriverEvents, PreparedSpawn, ProcessDriver } from '../local/driver.js'
import { isBun } from '../local/host-program.js'
import { LocalSubprocessRuntime } from '../local/local-runtime.js'
import { LoopHold } from '../local/loop-hold.js'
import type { LocalRuntimeOptions } from '../local/options.js'
import type { LocalTerminal, PreparedTerminal } from '../local/terminal-driver.js'
import type { RangeReport } from '../types.js'
import { chooseRange } from './choose-range.js'
import { coreFailure } from './core-failure.js'
import { Dispatcher, type EventListener } from './dispatcher.js'
import { failedDriver } from './failed-driver.js'
import { warnOfNoGuardian } from './guardian-warning.js'
import { hostVersion } from './host-version.js'
import { NativeDriver } from './native-driver.js'
import { warnOfWeakRange } from './range-warning.js'
import { wantsRawStreams } from './raw-streams.js'
import { toFlatSpawn } from './spawn-request.js'
import { startNativeTerminal } from './terminal/start.js'

export interface NativeSubprocessRuntimeOptions extends LocalRuntimeOptions {
  /** A cgroup v2 folder, absolute, that commands are put below. Absent: the folder of this process. */
  readonly cgroupParent?: string | undefined
}

// By disposal everything has been ended in good order; only what resisted is still waited for, the event loop standing.
const disposalPatienceMs = 200
// At host exit nothing has been ended yet.
const exitPatienceMs = 1000

export class NativeSubprocessRuntime extends LocalSubprocessRuntime {
  readonly range: RangeReport
  readonly #binding: NativeBinding
  readonly #dispatcher: Dispatcher
  readonly #runtime: NativeRuntime
  readonly #terminalHold = new LoopHold()

  /**
   * @throws AddonUnavailableError (code `ADDON_UNAVAILABLE`) when the addon cannot be loaded.
   * @throws Error with code `RANGE_UNAVAILABLE` when `ranges` or `cgroupParent` ask for what this host does not have.
   */
  constructor(options: NativeSubprocessRuntimeOptions = {}) {
    super(options, ['cgroupParent'])
    checkCgroupParent(options.cgroupParent)
    const { binding } = loadAddon()
    const { kind, reasons, options: range } = chooseRange(binding, options)
    this.range = { kind, reasons }
    if (options.ranges === undefined) warnOfWeakRange(this.range, options.onWarning)
    this.#binding = binding
    this.#dispatcher = Dispatcher.of(binding)
    const runner = runnerPath() ?? ''
    const leaveOnCrash = options.onHostCrash === 'leave'
    this.#runtime = new binding.Runtime({ range, spillFolder: resolve(this.spillFolder.path), runner, leaveOnCrash })
    this.#dispatcher.listen(this.#runtime.id, warnerOf(runner, options.onWarning))
  }

  protected override hostVersion(): number | null {
    return hostVersion(this.#binding)
  }

  protected override start(asked: PreparedSpawn, events: DriverEvents): ProcessDriver {
    const prepared = withConfinement(asked)
    if (isBun && wantsRawStreams(prepared)) {
      return failedDriver(this.range.kind, prepared, events, rawStreamsUnsupported(prepared))
    }
    let process: NativeProcess
    const { argv, environment, numbers, stdinData, attachment, confinement } = toFlatSpawn(prepared)
    try {
      process = this.#runtime.spawn(argv, environment, prepared.cwd, numbers, stdinData, attachment, confinement)
    } catch (error) {
      return failedDriver(this.range.kind, prepared, events, coreFailure(error, prepared))
    }
    const driver = new NativeDriver(process, this.range.kind, prepared, events)
    const { id } = process
    this.#dispatcher.listen(id, (batch, at) => {
      driver.handle(batch, at)
      if (driver.over) this.#dispatcher.forget(id)
    })
    return driver
  }

  protected override async startTerminal(prepared: PreparedTerminal): Promise<LocalTerminal> {
    const spawning = { runtime: this.#runtime, dispatcher: this.#dispatcher, hold: this.#terminalHold }
    return startNativeTerminal(prepared, { ...spawning, range: this.range.kind })
  }

  override claimSpill(path: string): boolean {
    if (!super.claimSpill(path)) return false
    this.#runtime.claimSpill(path)
    return true
  }

  protected override async close(): Promise<void> {
    this.#runtime.close(disposalPatienceMs)
    this.#dispatcher.forget(this.#runtime.id)
  }

  /** KILL on everything that is still owned, and waits a little for it. */
  override killAllSync(): void {
    this.#runtime.close(exitPatienceMs)
  }
}

// Knows nothing of the runtime, which may go without having been disposed of.
function warnerOf(runner: string, onWarning: LocalRuntimeOptions['onWarning']): EventListener {
  return (batch, at) => warnOfNoGuardian(runner, batch[at + eventField.errno] as number, onWarning)
}

// The command itself, in the place of the argv that would first confine itself.
function withConfinement(prepared: PreparedSpawn): PreparedSpawn {
  return prepared.confinement === undefined ? prepared : { ...prepared, argv: prepared.confinement.argv }
}

function checkCgroupParent(folder: unknown): void {
  if (folder === undefined) return
  if (typeof folder !== 'string' || !folder.startsWith('/') || folder.includes('\0')) {
    throw invalidType('cgroupParent', folder, 'must be the absolute path of a cgroup v2 folder')
  }
}

function rawStreamsUnsupported({ argv }: PreparedSpawn): Error {
  return new SubprocessError({ stage: 'stdio', errno: constants.errno.EOPNOTSUPP, argv0: argv[0] ?? '' })
}
