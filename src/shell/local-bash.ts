// The executor that runs each command in a fresh, non-interactive `bash -c` through a subprocess runtime. The processes
// belong to that runtime: this class owns none and needs no disposal.

import { invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkText, isObject, throwIfAborted } from '../subprocess/preflight-values.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import { bashCommand, type PreparedCommand } from './bash-command.js'
import { ShellExecutor } from './executor.js'
import { expired, type Preparation, PreparationRace } from './preparation.js'
import { checkSpec, resolveRequest } from './request.js'
import {
  defaultShellSettings,
  layerSettings,
  readLiveSettings,
  type ShellSettings,
  type ShellSettingsInput,
  shellSettingNames
} from './settings.js'
import { spawnSpec } from './spawn-spec.js'
import { StartedExecution } from './started-execution.js'
import type { ShellExecRequest, ShellExecSpec, ShellExecution } from './types.js'
import { UnstartedExecution } from './unstarted-execution.js'

export interface LocalBashOptions extends ShellSettingsInput {
  readonly subprocess: SubprocessRuntime
  /** Working folder of requests that name none, and base of relative ones; absent: the host's own at that moment. */
  readonly cwd?: string | undefined
  /** A live layer over the settings given here, read and checked at each `resolve`. */
  readonly settings?: ShellSettingsInput | (() => ShellSettingsInput | undefined) | undefined
}

const known: ReadonlySet<string> = new Set(['subprocess', 'cwd', 'settings', ...shellSettingNames])

export class LocalBashExecutor extends ShellExecutor {
  protected readonly subprocess: SubprocessRuntime
  readonly #cwd: string | undefined
  readonly #settings: ShellSettings
  readonly #live: LocalBashOptions['settings']

  /** @throws TypeError or RangeError that names the option and the value. */
  constructor(options: LocalBashOptions) {
    super()
    if (!isObject(options)) throw invalidType('options', options, 'must be an object')
    checkKeys('', options, known)
    const { subprocess, cwd, settings } = options as LocalBashOptions
    if (!isObject(subprocess) || typeof subprocess.spawn !== 'function') {
      throw invalidType('subprocess', subprocess, 'must be a SubprocessRuntime')
    }
    if (cwd !== undefined) checkText('cwd', cwd)
    if (cwd === '') throw invalidType('cwd', cwd, 'must not be empty')
    this.subprocess = subprocess
    this.#cwd = cwd
    this.#settings = layerSettings(defaultShellSettings, options, '')
    this.#live = settings
    this.#readSettings()
  }

  resolve(request: ShellExecRequest): ShellExecSpec {
    return resolveRequest(request, this.#readSettings(), this.#cwd ?? process.cwd())
  }

  async execute(given: ShellExecSpec): Promise<ShellExecution> {
    const spec = checkSpec(given)
    throwIfAborted(spec.signal)
    const preparation = new PreparationRace(spec)
    const work = this.prepare(spec, preparation)
    if (!(work instanceof Promise)) return this.#start(spec, work, spec.timeoutMs)
    const prepared = await preparation.race(work)
    const { remainingMs } = preparation
    if (prepared === expired || (spec.onExpiry === 'kill' && remainingMs <= 0)) {
      return new UnstartedExecution({ timedOut: true }, spec, this.subprocess.range.kind)
    }
    throwIfAborted(spec.signal)
    return this.#start(spec, prepared, remainingMs)
  }

  /**
   * Turns the command text into what is spawned. Its time counts against the deadline; a rejection is that of `execute`.
   * `preparation.signal` aborts when the deadline passes or the caller cancels: the result is then dropped.
   */
  protected prepare(spec: ShellExecSpec, _preparation: Preparation): PreparedCommand | Promise<PreparedCommand> {
    return bashCommand(spec.command)
  }

  #start(spec: ShellExecSpec, command: PreparedCommand, remainingMs: number): ShellExecution {
    try {
      return new StartedExecution(this.subprocess.spawn(spawnSpec(spec, command, remainingMs)), spec)
    } catch (error) {
      return new UnstartedExecution({ error }, spec, this.subprocess.range.kind)
    }
  }

  #readSettings(): ShellSettings {
    if (this.#live === undefined) return this.#settings
    return readLiveSettings(this.#settings, typeof this.#live === 'function' ? this.#live() : this.#live)
  }
}
