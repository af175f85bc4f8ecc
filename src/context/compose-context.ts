// Composes the seams: one subprocess runtime, one shell executor on it. The processes belong to the runtime, so the end
// of a context is the end of its runtime.

import { resolve } from 'node:path'
import type { ShellExecutor } from '../shell/executor.js'
import { LocalBashExecutor } from '../shell/local-bash.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import { chooseProvider } from './choose-provider.js'
import type { ContextOptions } from './options.js'
import { emitProcessWarning } from './warnings.js'

export interface Context {
  /** Below the shell: argv in, a handle out. */
  readonly subprocess: SubprocessRuntime
  readonly shell: ShellExecutor
  /**
   * Ends every range, waits until each is empty, and removes what was made for them. Idempotent. From then on
   * `subprocess.spawn` throws, and what `shell.execute` gives rejects in `result()`.
   */
  dispose(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

/** For options that are known to be well-formed; their values are still checked by what they are handed to. */
export function composeContext({
  cwd,
  shell,
  subprocess = {},
  onWarning = emitProcessWarning
}: ContextOptions): Context {
  const runtime = chooseProvider(subprocess, onWarning)
  let disposal: Promise<void> | undefined
  const dispose = (): Promise<void> => {
    disposal ??= runtime.dispose()
    return disposal
  }
  return {
    subprocess: runtime,
    shell: new LocalBashExecutor({ ...shell, subprocess: runtime, cwd: cwd === undefined ? undefined : resolve(cwd) }),
    dispose,
    [Symbol.asyncDispose]: dispose
  }
}
