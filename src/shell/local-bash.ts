// The executor that runs each command in a fresh, non-interactive `bash -c` through a subprocess runtime. The processes
// belong to that runtime: this class owns none and needs no disposal.

import { invalidType } from '../errors/invalid-input.js'
import { checkPolicy } from '../sandbox/policy-checks.js'
import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import { checkKeys, checkText, isObject, throwIfAborted } from '../subprocess/preflight-values.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import { bashCommand, type PreparedCommand } from './bash-command.js'
import { ShellExecutor } from './executor.js'
import { expired, type Preparation, PreparationRace } from './preparation.js'
import { checkSpec, type PolicyOf, resolveRequest } from './request.js'
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
    const policyOf: PolicyOf = (given) => this.policyOf(given, 'request.sandboxPolicy')
    return resolveRequest(request, this.#readSettings(), this.#cwd ?? process.cwd(), policyOf)
  }

  async execute(given: ShellExecSpec): Promise<ShellExecution> {
    const spec = checkSpec(given)
    throwIfAborted(spec.signal)
    this.policyOf(spec.sandboxPolicy, 'spec.sandboxPolicy')
    const preparation = new PreparationRace(spec)
    const work = this.prepare(spec, preparation)
    if (!(work instanceof Promise)) return this.#start(spec, work, spec.timeoutMs)
    const prepared = await preparation.race(work)
    const { remainingMs } = preparation
    if (prepared === expired || (spec.onExpiry === 'kill' && remainingMs <= 0)) {
      const confinement = prepared === expired ? undefined : prepared.confinement
      return new UnstartedExecution({ timedOut: true }, spec, this.subprocess.range.kind, confinement)
    }
    throwIfAborted(spec.signal)
    return this.#start(spec, prepared, remainingMs)
  }

  /**
   * The policy of a request, or of a spec. This executor confines nothing, so it refuses whatever asks for that: such a wish
   * must not be lost.
   */
  protected policyOf(given: SandboxExecutionPolicy | undefined, option: string): SandboxExecutionPolicy | undefined {
    if (given === undefined || checkPolicy(option, given).mode === 'danger-full-access') return given
    throw invalidType(option, given, 'asks for confinement, and this executor does not confine')
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
      const handle = this.subprocess.spawn(spawnSpec(spec, command, remainingMs))
      return new StartedExecution(handle, spec, command.confinement)
    } catch (error) {
      return new UnstartedExecution({ error }, spec, this.subprocess.range.kind, command.confinement)
    }
  }

  #readSettings(): ShellSettings {
    if (this.#live === undefined) return this.#settings
    return readLiveSettings(this.#settings, typeof this.#live === 'function' ? this.#live() : this.#live)
  }
}
