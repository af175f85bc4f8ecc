// The plugin: a Cordis service that is `ctx.subprocess` for whatever is mounted beside it. It owns one runtime of this library;
// all that runs in it ends with the plugin. Its fields are no `#` fields, since Cordis hands services out behind proxies.

import type { Context } from '@deepseek-ai/cordis'
import {
  type SubprocessSpawnSpec as DshSpawnSpec,
  SubprocessRuntime as DshSubprocessRuntime,
  type SubprocessTerminalHandle as DshTerminal,
  type SubprocessTerminalSpawnSpec as DshTerminalSpec
} from '@deepseek-ai/dsh-subprocess'
import { chooseProvider } from '../context/choose-provider.js'
import { emitProcessWarning } from '../context/warnings.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import type { RangeReport } from '../subprocess/types.js'
import { adaptHandle, type QuiesceHandle } from './handle.js'
import { optionsSchema, type QuiesceSubprocessOptions } from './options.js'
import { openTerminal } from './terminal.js'

/** Mounted with `ctx.plugin(QuiesceSubprocess, options)`, in the place of the local runtime of the public packages. */
export class QuiesceSubprocess extends DshSubprocessRuntime {
  static readonly Config = optionsSchema
  private readonly runtime: SubprocessRuntime

  /** @throws UnavailableOptionError for a provider or range that this host lacks. */
  constructor(ctx: Context, { onWarning = emitProcessWarning, ...options }: QuiesceSubprocessOptions = {}) {
    super(ctx)
    const runtime = chooseProvider(options, onWarning)
    this.runtime = runtime
    ctx.effect(() => () => runtime.dispose(), 'quiesce subprocess disposal')
  }

  /** How the processes of a command are held together, and why not more strongly. */
  get range(): RangeReport {
    return this.runtime.range
  }

  override resolveExecutable(
    command: string,
    env?: Readonly<Record<string, string>>,
    signal?: AbortSignal
  ): Promise<string> {
    return this.runtime.resolveExecutable(command, env, signal)
  }

  /** As `SubprocessRuntime.spawn` of this library; a wrong spec throws an error that names the field and the value. */
  override spawn(spec: DshSpawnSpec): QuiesceHandle {
    return adaptHandle(this.runtime.spawn(spec))
  }

  /** Commands in terminals of their own. */
  override spawnTerminal(spec: DshTerminalSpec): Promise<DshTerminal> {
    return openTerminal(this.runtime, spec)
  }

  /** Keeps a spill file beyond the end of the plugin. False if it is none of this runtime. */
  claimSpill(path: string): boolean {
    return this.runtime.claimSpill(path)
  }
}
