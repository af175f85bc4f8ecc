// Composes the seams: one subprocess runtime, one shell executor on it, between them a sandbox where one is asked for, and a
// registry of jobs and one of terminals beside it. The processes belong to the runtime, so the end of a context is the end of its runtime.

import { isAbsolute, resolve } from 'node:path'
import { LocalJobRegistry } from '../jobs/local-registry.js'
import { defaultJobSettings } from '../jobs/options.js'
import type { JobRegistry } from '../jobs/registry.js'
import { LocalSandboxProvider } from '../sandbox/local/local-provider.js'
import { SandboxPolicyService } from '../sandbox/policy-service.js'
import type { SandboxProvider } from '../sandbox/provider.js'
import type { ShellExecutor } from '../shell/executor.js'
import { LocalBashExecutor, type LocalBashOptions } from '../shell/local-bash.js'
import { SandboxBashExecutor } from '../shell/sandbox-bash.js'
import { defaultShellSettings } from '../shell/settings.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import { LocalTerminalRegistry } from '../terminal/local-registry.js'
import { chooseProvider } from './choose-provider.js'
import type { ContextOptions, SandboxOptions } from './options.js'
import { emitProcessWarning } from './warnings.js'

export interface Context {
  /** Below the shell: argv in, a handle out. */
  readonly subprocess: SubprocessRuntime
  readonly shell: ShellExecutor
  /** Confines the shell's commands; `undefined` where no sandbox was asked for: nothing is confined then. */
  readonly sandbox: SandboxProvider | undefined
  /** Which policy a command gets; `undefined` where `sandbox` is. */
  readonly sandboxPolicy: SandboxPolicyService | undefined
  /** Work that goes on after the call that began it. */
  readonly jobs: JobRegistry
  /** Persistent sessions in pseudoterminals, confined where `sandbox` is. */
  readonly terminals: LocalTerminalRegistry
  /**
   * Ends every job, every terminal and every range, waits until each is empty, and removes what was made for them. Idempotent. From then on
   * `jobs.start` and `subprocess.spawn` throw, `terminals.open` rejects, and so does what `shell.execute` gives in `result()`.
   */
  dispose(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface Confining {
  readonly sandbox: SandboxProvider
  readonly sandboxPolicy: SandboxPolicyService
}

function confining(options: SandboxOptions, cwd: string | undefined, subprocess: SubprocessRuntime): Confining {
  const { mode, workspaceRoot: given, writableRoots, hiddenPaths, network, ...backend } = options
  // Not folded: `..` is left to the kernel, which follows links first.
  const workspaceRoot =
    given === undefined || cwd === undefined || isAbsolute(given) ? (given ?? cwd) : `${cwd}/${given}`
  return {
    sandbox: new LocalSandboxProvider({ ...backend, subprocess }),
    sandboxPolicy: new SandboxPolicyService({ mode, workspaceRoot, writableRoots, hiddenPaths, network })
  }
}

function shellOf(options: LocalBashOptions, confining: Confining | undefined): ShellExecutor {
  if (confining === undefined) return new LocalBashExecutor(options)
  const { sandbox, sandboxPolicy } = confining
  return new SandboxBashExecutor({ ...options, sandbox, policy: () => sandboxPolicy.policyFor() })
}

/** A job that is a command of the shell has its whole grace and some time for its end to be seen. */
const jobEndMs = (graceMs: number): number => Math.max(defaultJobSettings.disposeTimeoutMs, graceMs + 5_000)

/** For options that are known to be well-formed; their values are still checked by what they are handed to. */
export function composeContext({
  cwd,
  shell,
  sandbox,
  subprocess = {},
  jobs,
  onWarning = emitProcessWarning
}: ContextOptions): Context {
  const folder = cwd === undefined ? undefined : resolve(cwd)
  const runtime = chooseProvider(subprocess, onWarning)
  const parts = sandbox === undefined ? undefined : confining(sandbox, folder, runtime)
  const { graceMs = defaultShellSettings.graceMs } = shell ?? {}
  const registry = new LocalJobRegistry({
    ...jobs,
    disposeTimeoutMs: jobs?.disposeTimeoutMs ?? jobEndMs(graceMs),
    onWarning
  })
  const terminals = new LocalTerminalRegistry({ subprocess: runtime, cwd: folder, ...parts, timings: { graceMs } })
  let disposal: Promise<void> | undefined
  const dispose = (): Promise<void> => {
    // Jobs end first: whoever listens to their end may still look at the rest. What the provider keeps serves commands that
    // still run.
    disposal ??= registry
      .dispose()
      .finally(() => terminals.dispose())
      .finally(() => runtime.dispose())
      .finally(() => parts?.sandbox.dispose?.())
    return disposal
  }
  return {
    subprocess: runtime,
    sandbox: parts?.sandbox,
    sandboxPolicy: parts?.sandboxPolicy,
    shell: shellOf({ ...shell, subprocess: runtime, cwd: folder }, parts),
    jobs: registry,
    terminals,
    dispose,
    [Symbol.asyncDispose]: dispose
  }
}
