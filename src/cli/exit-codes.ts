// The exit status of the command line, as users of timeout(1) and env(1) expect it.

import { SubprocessError } from '../errors/subprocess-error.js'
import { signalNumber } from '../shell/signal-names.js'
import type { ShellRunResult } from '../shell/types.js'

export const EXIT_TIMED_OUT = 124
/** An own failure: a bad option, a working folder that cannot be entered, a range that cannot be had. */
export const EXIT_FAILED = 125
/** The program was found and cannot be executed. */
export const EXIT_CANNOT_EXECUTE = 126
export const EXIT_NOT_FOUND = 127

export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + (signalNumber(signal) ?? 0)
}

export function exitCodeOfResult(result: Pick<ShellRunResult, 'exitCode' | 'signal' | 'timedOut'>): number {
  if (result.timedOut) return EXIT_TIMED_OUT
  return result.signal === null ? (result.exitCode ?? EXIT_FAILED) : exitCodeOfSignal(result.signal)
}

/** Of a command that could not be started. */
export function exitCodeOfError(error: unknown): number {
  if (!(error instanceof SubprocessError) || error.stage !== 'exec') return EXIT_FAILED
  return error.code === 'ENOENT' ? EXIT_NOT_FOUND : EXIT_CANNOT_EXECUTE
}
