// A runner of the operator's own. It takes the arguments of bubblewrap and is asserted to be full; that it lets no write
// through is tried as with every other.

import { resolvedPath } from '../canonical-path.js'
import { BackendProblem, type SandboxBackend } from './backend.js'
import { bwrapArguments } from './bwrap-arguments.js'
import type { FindProgram } from './bwrap-backend.js'

export interface OperatorRunner {
  /** The program and arguments that come before those of bubblewrap. */
  readonly command: readonly string[]
  /** What a line of its stderr contains if it failed itself. */
  readonly failureSignatures: readonly string[]
}

export function operatorBackend({ command, failureSignatures }: OperatorRunner, find: FindProgram): SandboxBackend {
  const [name = '', ...rest] = command
  return {
    name: 'runner-command',
    denialSignatures: ['read-only file system', 'permission denied'],
    runnerFailureRules: () => [{ fatalSignatures: failureSignatures }],
    refusal: () => null,
    async locate(_profile, signal) {
      if (name.startsWith('/') && resolvedPath(name) === null) throw new BackendProblem(`there is no ${name}`)
      try {
        return await find(name, signal)
      } catch (error) {
        if (signal.aborted) throw error
        throw new BackendProblem(`there is no program ${name} that can be executed`)
      }
    },
    prefix: (program, profile) => [program, ...rest, ...bwrapArguments(profile)]
  }
}
