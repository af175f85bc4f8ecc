// The runtime for processes of this machine, without the machine: checks, environment, the live set, abort, disposal and
// the last resort at host exit. A provider adds how one command is started and driven.

import { preflight } from '../preflight.js'
import { preflightTerminal } from '../preflight-terminal.js'
import { checkText } from '../preflight-values.js'
import { resolveExecutable } from '../resolve-executable.js'
import { SubprocessRuntime } from '../runtime.js'
import { snapshotSpec } from '../snapshot.js'
import type { SubprocessTerminalHandle, SubprocessTerminalSpawnSpec } from '../terminal-types.js'
import type { SubprocessEnvironment, SubprocessHandle, SubprocessSpawnSpec } from '../types.js'
import { onAbort } from './abort-listeners.js'
import type { DriverEvents, PreparedSpawn, ProcessDriver } from './driver.js'
import { EnvironmentCache } from './environment-cache.js'
import { addExitTarget, type ExitTarget, removeExitTarget } from './exit-hook.js'
import { LocalHandle } from './handle.js'
import { Lifecycle } from './lifecycle.js'
import { LoopHold } from './loop-hold.js'
import { checkRuntimeOptions, type LocalRuntimeOptions } from './options.js'
import { SpillFolder } from './spill-folder.js'
import { withoutRemovedSpill } from './spill-view.js'
import { endAll, throwFailures } from './teardown.js'
import type { LocalTerminal, PreparedTerminal } from './terminal-driver.js'
import { TerminalSet } from './terminal-set.js'

export abstract class LocalSubprocessRuntime extends SubprocessRuntime {
  /** The provider makes it, 0700 and exclusively, at the first overflow; this class removes it. */
  protected readonly spillFolder: SpillFolder
  readonly #hold = new LoopHold()
  readonly #environments = new EnvironmentCache(() => this.hostVersion())
  readonly #live = new Set<LocalHandle>()
  /** Over, but with raw outputs that are not closed. */
  readonly #unread = new Set<LocalHandle>()
  readonly #terminals = new TerminalSet((prepared) => this.startTerminal(prepared))
  readonly #exitTarget: ExitTarget = { hostExit: () => this.#onHostExit() }
  #closed: string | null = null
  #disposal: Promise<void> | null = null

  /** `ownOptions` names the options that the provider has beyond the shared ones, and checks itself. */
  constructor(options: LocalRuntimeOptions, ownOptions: readonly string[] = []) {
    super()
    checkRuntimeOptions(options, ownOptions)
    this.spillFolder = new SpillFolder(options.spillDir)
  }

  /**
   * Starts one command. A start that fails is told through `events.failed`, never thrown; no event comes before this has
   * returned. Whatever of the driver keeps the event loop alive must not do so once the command has settled: waiting
   * callers and running ladders are held alive here.
   */
  protected abstract start(prepared: PreparedSpawn, events: DriverEvents): ProcessDriver

  /**
   * Starts one terminal. Rejects with a `SubprocessError` if the program cannot be started, and then nothing is left.
   * Need not look at the signal of the spec: whoever waits no longer has what arrives late ended.
   */
  protected abstract startTerminal(prepared: PreparedTerminal): Promise<LocalTerminal>

  /** Called once by disposal, after every range is empty or was killed and before the spill files are removed. */
  protected abstract close(): Promise<void>

  /** The synchronous counterpart of `close` at host exit; only for what would outlive the process. */
  protected closeSync(): void {}

  /** Changes whenever `process.env` has changed; `null` where the provider cannot tell. */
  protected hostVersion(): number | null {
    return null
  }

  spawn(spec: SubprocessSpawnSpec): SubprocessHandle {
    if (this.#closed !== null) throw new Error(`cannot spawn: ${this.#closed}`)
    const own = snapshotSpec(spec)
    preflight(own)
    const prepared = this.#prepare(own)
    let handle: LocalHandle | null = null
    // A signal of foreign make may refuse its listener, so it is asked while there is nothing yet that could be left behind.
    const stopListening = prepared.signal && onAbort(prepared.signal, () => handle?.terminate())
    const lifecycle = new Lifecycle(this.#hold, () => {
      if (handle === null) return
      if (lifecycle.startFailed) handle.abandonStreams()
      if (lifecycle.empty) {
        stopListening?.()
        handle.closeInputs()
      }
      if (lifecycle.over) this.#ended(handle)
    })
    const driver = this.#started(prepared, lifecycle, stopListening)
    handle = new LocalHandle(driver, lifecycle, (source) => withoutRemovedSpill(source, this.spillFolder))
    this.#live.add(handle)
    addExitTarget(this.#exitTarget)
    return handle
  }

  #ended(handle: LocalHandle): void {
    if (!this.#live.delete(handle) || !handle.hasOpenOutputs) return
    this.#unread.add(handle)
    for (const stream of [handle.stdout, handle.stderr, handle.control]) {
      stream?.once('close', () => {
        if (!handle.hasOpenOutputs) this.#unread.delete(handle)
      })
    }
  }

  #prepare(spec: SubprocessSpawnSpec): PreparedSpawn {
    return {
      ...spec,
      leftovers: spec.leftovers ?? 'keep',
      environment: this.#environments.compose(spec.env, spec.stdio.control !== undefined)
    }
  }

  #started(prepared: PreparedSpawn, lifecycle: Lifecycle, stopListening: (() => void) | undefined): ProcessDriver {
    try {
      return this.start(prepared, lifecycle)
    } catch (error) {
      // A fault of the provider itself: nothing was started, so nothing may hold the event loop either.
      lifecycle.failed(error as Error)
      stopListening?.()
      throw error
    }
  }

  async spawnTerminal(spec: SubprocessTerminalSpawnSpec): Promise<SubprocessTerminalHandle> {
    if (this.#closed !== null) throw new Error(`cannot spawn: ${this.#closed}`)
    const own = preflightTerminal(spec)
    addExitTarget(this.#exitTarget)
    return this.#terminals.start(own)
  }

  resolveExecutable(command: string, env?: SubprocessEnvironment, signal?: AbortSignal): Promise<string> {
    return resolveExecutable(command, env, signal)
  }

  claimSpill(path: string): boolean {
    checkText('path', path)
    return this.spillFolder.claim(path)
  }

  /** KILL on everything that is still owned, synchronously. Claims no emptiness. */
  killAllSync(): void {
    for (const handle of this.#live) {
      try {
        handle.kill()
      } catch {
        // A target that cannot be killed must not save the others.
      }
    }
    this.#terminals.kill()
  }

  dispose(): Promise<void> {
    this.#disposal ??= this.#dispose()
    return this.#disposal
  }

  async #dispose(): Promise<void> {
    this.#closed = 'the subprocess runtime has been disposed'
    const ended = await Promise.all([endAll([...this.#live]), this.#terminals.end()])
    const failures = ended.flat()
    if (failures.length > 0) this.killAllSync()
    for (const step of [() => this.close(), () => this.spillFolder.remove()]) {
      try {
        await step()
      } catch (error) {
        failures.push(error)
      }
    }
    this.#live.clear()
    for (const handle of this.#unread) handle.closeUnreadOutputs()
    this.#unread.clear()
    // Until here an early exit of the host still had to kill.
    removeExitTarget(this.#exitTarget)
    throwFailures(failures)
  }

  #onHostExit(): void {
    this.#closed = 'the host process is exiting'
    for (const step of [() => this.killAllSync(), () => this.closeSync(), () => this.spillFolder.remove()]) {
      try {
        step()
      } catch {
        // At exit there is nobody left to tell, and the next step matters as much.
      }
    }
  }
}
