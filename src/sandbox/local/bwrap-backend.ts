// Bubblewrap, as the distribution ships it.

import { BackendProblem, type SandboxBackend } from './backend.js'
import { bwrapArguments } from './bwrap-arguments.js'

/** Finds a program on the PATH of the host. */
export type FindProgram = (name: string, signal: AbortSignal) => Promise<string>

const install = 'install bubblewrap (Debian, Ubuntu: apt-get install bubblewrap; Fedora: dnf install bubblewrap)'

export function bwrapBackend(find: FindProgram): SandboxBackend {
  return {
    name: 'bwrap',
    denialSignatures: ['read-only file system'],
    runnerFailureRules: () => [{ fatalSignatures: ['bwrap: '] }],
    refusal: () => null,
    async locate(_profile, signal) {
      if (process.platform !== 'linux') throw new BackendProblem('it is for Linux only')
      try {
        return await find('bwrap', signal)
      } catch (error) {
        if (signal.aborted) throw error
        throw new BackendProblem('there is no program bwrap on the PATH', install)
      }
    },
    prefix: (program, profile) => [program, ...bwrapArguments(profile)],
    warnings: ({ roots, workspaceRoot }) =>
      roots.includes('/tmp') && workspaceRoot !== '/tmp'
        ? [
            '/tmp is empty and private to each command; a working folder below it is there only if it is a writable root'
          ]
        : []
  }
}
