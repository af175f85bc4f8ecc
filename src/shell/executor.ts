// The shell seam: shell source in, an execution out. Whether that is foreground or background is what the caller awaits.

import type { SandboxMode } from '../sandbox/types.js'
import type { ShellExecRequest, ShellExecSpec, ShellExecution, ShellRunResult } from './types.js'

export abstract class ShellExecutor {
  /** The mode of requests that bring no policy of their own; `undefined`: this executor does not confine. */
  get sandboxMode(): SandboxMode | undefined {
    return undefined
  }

  /**
   * Fills in defaults and applies caps; starts nothing.
   * @throws TypeError or RangeError that names the option and the value.
   */
  abstract resolve(request: ShellExecRequest): ShellExecSpec

  /**
   * Starts the command and resolves when preparation is complete. The deadline counts from this call. Rejects only when
   * preparation is cancelled or fails; everything later is told by the execution.
   */
  abstract execute(spec: ShellExecSpec): Promise<ShellExecution>

  /** `execute(resolve(request))` and `result()` in one call. */
  async run(request: ShellExecRequest): Promise<ShellRunResult> {
    const execution = await this.execute(this.resolve(request))
    return execution.result()
  }
}
