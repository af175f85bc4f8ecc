// Which provider of local processes a context gets: the native core, or the fallback and what is weaker then.

import { AddonUnavailableError } from '../errors/addon-unavailable.js'
import { NativeSubprocessRuntime } from '../subprocess/native/native-runtime.js'
import { NodeSubprocessRuntime } from '../subprocess/node/node-runtime.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import type { SubprocessOptions } from './options.js'
import type { WarningSink } from './warnings.js'

/** An option asks for what this host cannot give. `cause` is the refusal of the provider, where one was asked. */
export class UnavailableOptionError extends Error {
  /** `ADDON_UNAVAILABLE` or `RANGE_UNAVAILABLE`. */
  readonly code: string
  /** Such as `subprocess.provider`. */
  readonly option: string
  readonly value: unknown

  constructor(code: string, option: string, value: unknown, reason: string, cause?: unknown) {
    super(`createContext: ${option} ${JSON.stringify(value)} cannot be had on this host: ${reason}`, { cause })
    this.name = 'UnavailableOptionError'
    this.code = code
    this.option = option
    this.value = value
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code
const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const reasonOf = (error: unknown): string => (error instanceof AddonUnavailableError ? error.reason : textOf(error))

let fallbackWarned = false

function warnOfFallback(error: unknown, onWarning: WarningSink): void {
  if (fallbackWarned) return
  fallbackWarned = true
  onWarning({
    code: 'QUIESCE_FALLBACK',
    message:
      `commands run through child_process because the native core is not available (${reasonOf(error)}): deadlines wait ` +
      'for the event loop, CPU and memory are not measured, and without a systemd user manager a process that leaves the ' +
      'process group of its command is neither seen nor ended; `npx quiesce doctor` tells how to get it'
  })
}

/** Names the option of this context that a provider's refusal is about. */
function rangeRefused(error: unknown, { ranges, cgroupParent }: SubprocessOptions): unknown {
  if (codeOf(error) !== 'RANGE_UNAVAILABLE') return error
  const [option, value] = cgroupParent === undefined ? ['ranges', ranges] : ['cgroupParent', cgroupParent]
  return new UnavailableOptionError('RANGE_UNAVAILABLE', `subprocess.${option}`, value, textOf(error), error)
}

function nativeRuntime(options: SubprocessOptions, onWarning: WarningSink): SubprocessRuntime {
  const { ranges, cgroupParent, spillDir, onHostCrash } = options
  try {
    return new NativeSubprocessRuntime({ ranges, cgroupParent, spillDir, onHostCrash, onWarning })
  } catch (error) {
    throw rangeRefused(error, options)
  }
}

function nodeRuntime(options: SubprocessOptions, onWarning: WarningSink): SubprocessRuntime {
  const { ranges, cgroupParent, spillDir, onHostCrash } = options
  if (cgroupParent !== undefined) {
    const reason = 'without the native core no command can be started in a cgroup folder'
    throw new UnavailableOptionError('RANGE_UNAVAILABLE', 'subprocess.cgroupParent', cgroupParent, reason)
  }
  try {
    return new NodeSubprocessRuntime({ ranges, spillDir, onHostCrash, onWarning })
  } catch (error) {
    throw rangeRefused(error, options)
  }
}

export function chooseProvider(options: SubprocessOptions, onWarning: WarningSink): SubprocessRuntime {
  const { provider = 'auto' } = options
  if (provider === 'node') return nodeRuntime(options, onWarning)
  try {
    return nativeRuntime(options, onWarning)
  } catch (error) {
    if (codeOf(error) !== 'ADDON_UNAVAILABLE') throw error
    if (provider === 'native') {
      throw new UnavailableOptionError('ADDON_UNAVAILABLE', 'subprocess.provider', provider, textOf(error), error)
    }
    // One line is enough: that of the fallback says what its range does not hold.
    const runtime = nodeRuntime(options, (warning) => {
      if (warning.code !== 'QUIESCE_WEAK_RANGE') onWarning(warning)
    })
    warnOfFallback(error, onWarning)
    return runtime
  }
}
