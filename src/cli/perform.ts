// One command of `run` or `sh` from start to exit status: the context around it, signals to this process, its report.

import type { Context } from '../context/compose-context.js'
import type { ShellExecution, ShellRunResult } from '../shell/types.js'
import { type CommandOptions, checkSandboxOptions, contextFor, type SandboxedOptions } from './command-options.js'
import { exitCodeOfError, exitCodeOfResult, exitCodeOfSignal } from './exit-codes.js'
import { Interruption } from './interruption.js'
import { printFailure, printJson } from './report.js'

export type Start = (context: Context, signal: AbortSignal) => Promise<ShellExecution>

export async function perform(options: SandboxedOptions, start: Start): Promise<number> {
  const interruption = new Interruption()
  const exitCode = await report(options, start, interruption)
  return interruption.by === null ? exitCode : exitCodeOfSignal(interruption.by)
}

/** Without the spill files: they go with the context, before anybody could open them. */
function asJson(result: ShellRunResult, options: CommandOptions): object {
  const { spillPath: _stdout, ...stdout } = result.stdout
  const { spillPath: _stderr, ...stderr } = result.stderr
  return { ...result, timeoutMs: options.timeout ?? null, stdout, stderr }
}

async function report(options: SandboxedOptions, start: Start, interruption: Interruption): Promise<number> {
  try {
    checkSandboxOptions(options)
    const context = contextFor(options)
    try {
      const execution = await start(context, interruption.signal)
      await execution.done
      // After an interruption the range must be empty before anything is said.
      if (interruption.by !== null) await execution.waitForExit()
      const result = await execution.result()
      if (options.json) printJson(asJson(result, options))
      return exitCodeOfResult(result)
    } finally {
      await context.dispose()
    }
  } catch (error) {
    if (interruption.by === null) printFailure(error, options.json === true)
    return exitCodeOfError(error)
  }
}
