// Composes the seams: one subprocess runtime, one shell executor on it, between them a sandbox where one is asked for. The
// processes belong to the runtime, so the end of a context is the end of its runtime.

import { resolve } from 'node:path'
import { LocalSandboxProvider } from '../sandbox/local/local-provider.js'
import { SandboxPolicyService } from '../sandbox/policy-service.js'
import type { SandboxProvider } from '../sandbox/provider.js'
import type { ShellExecutor } from '../shell/executor.js'
import { LocalBashExecutor, type LocalBashOptions } from '../shell/local-bash.js'
import { SandboxBashExecutor } from '../shell/sandbox-bash.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
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
  /**
   * Ends every range, waits until each is empty, and removes what was made for them. Idempotent. From then on
   * `subprocess.spawn` throws, and what `shell.execute` gives rejects in `result()`.
   */
  dispose(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

interface Confining {
  readonly sandbox: SandboxProvider
  readonly sandboxPolicy: SandboxPolicyService
}

function confining(options: SandboxOptions, cwd: string | undefined, subprocess: SubprocessRuntime): Confining {
  const { mode, workspaceRoot = cwd, writableRoots, hiddenPaths, network, ...backend } = options
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

/** For options that are known to be well-formed; their values are still checked by what they are handed to. */
export function composeContext({
  cwd,
  shell,
  sandbox,
  subprocess = {},
  onWarning = emitProcessWarning
}: ContextOptions): Context {
  const folder = cwd === undefined ? undefined : resolve(cwd)
  const runtime = chooseProvider(subprocess, onWarning)
  const parts = sandbox === undefined ? undefined : confining(sandbox, folder, runtime)
  let disposal: Promise<void> | undefined
  const dispose = (): Promise<void> => {
    // What the provider keeps serves commands that still run.
    disposal ??= runtime.dispose().finally(() => parts?.sandbox.dispose?.())
    return disposal
  }
  return {
    subprocess: runtime,
    sandbox: parts?.sandbox,
    sandboxPolicy: parts?.sandboxPolicy,
    shell: shellOf({ ...shell, subprocess: runtime, cwd: folder }, parts),
    dispose,
    [Symbol.asyncDispose]: dispose
  }
}
