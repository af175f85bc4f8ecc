// What `createContext` takes.

import type { LocalJobOptions } from '../jobs/options.js'
import type { SandboxBackendOptions } from '../sandbox/local/options.js'
import type { SandboxPolicyOptions } from '../sandbox/policy-service.js'
import type { ShellSettingsInput } from '../shell/settings.js'
import type { HostCrashPolicy } from '../subprocess/local/options.js'
import type { RangeKind } from '../subprocess/types.js'
import type { WarningSink } from './warnings.js'

/** `auto`: the native core where it loads and works, otherwise Node's own child processes, with a warning. */
export type ProviderChoice = 'auto' | 'native' | 'node'

export interface SubprocessOptions {
  readonly provider?: ProviderChoice | undefined
  /** The range kinds that may be used; absent: the strongest that this host offers. */
  readonly ranges?: readonly RangeKind[] | undefined
  /** An existing cgroup v2 folder to put the commands' folders into; absent: the process's own. */
  readonly cgroupParent?: string | undefined
  /** Where the private folder of spill files is made; absent: the temporary folder of the system. */
  readonly spillDir?: string | undefined
  /** What becomes of commands when the host is killed or crashes; absent: `end`. */
  readonly onHostCrash?: HostCrashPolicy | undefined
}

/** Which policy commands get, and what may confine them. */
export interface SandboxOptions extends SandboxPolicyOptions, SandboxBackendOptions {}

/** As of the local registry. Absent, `disposeTimeoutMs` is 10 s, or the shell's grace and 5 s where that is longer. */
export interface JobOptions extends Omit<LocalJobOptions, 'onWarning'> {}

export interface ContextOptions {
  /** Working folder of commands that name none; absent: the host's own. */
  readonly cwd?: string | undefined
  readonly shell?: ShellSettingsInput | undefined
  /** Absent: nothing is confined. An empty object: `read-only`, with the working folder as the workspace. */
  readonly sandbox?: SandboxOptions | undefined
  readonly subprocess?: SubprocessOptions | undefined
  readonly jobs?: JobOptions | undefined
  /** Gets what would otherwise be a process warning. */
  readonly onWarning?: WarningSink | undefined
}
