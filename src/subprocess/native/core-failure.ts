// The core could not even take a command: it has no thread to start it with.

import { SubprocessError } from '../../errors/subprocess-error.js'
import type { NativeSystemError } from '../../native/binding.js'

export function coreFailure(error: unknown, { argv }: { readonly argv: readonly string[] }): Error {
  const cause = (error as { systemError?: NativeSystemError }).systemError
  if (cause === undefined) return error as Error
  return new SubprocessError({ stage: 'clone', errno: cause.errno, argv0: argv[0] ?? '' })
}
