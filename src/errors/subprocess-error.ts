// The error of a step that failed while a command was being started. Shape: Node's system errors plus `stage`.

import { getSystemErrorMap } from 'node:util'

/** The step that failed: the streams, the range, the process, the working folder, the program, the sandbox around it. */
export type SubprocessStage = 'stdio' | 'range' | 'clone' | 'chdir' | 'exec' | 'sandbox'

export interface SubprocessFailure {
  readonly stage: SubprocessStage
  /** A positive errno of the platform, as the kernel gives it. */
  readonly errno: number
  readonly argv0: string
  /** The file or folder that the step was about: the program for `exec`, the working folder for `chdir`. */
  readonly path?: string | undefined
  /** Of the sandbox: the step, and what the program that prepares it said. */
  readonly sandbox?: { readonly step: string; readonly detail: string } | undefined
}

const phrases: Record<SubprocessStage, (failure: SubprocessFailure) => string> = {
  stdio: () => 'cannot prepare the standard streams',
  range: (failure) => `cannot enter a process range${failure.path ? ` at ${JSON.stringify(failure.path)}` : ''}`,
  clone: () => 'cannot create a process',
  chdir: (failure) => `cannot enter the working folder ${JSON.stringify(failure.path)}`,
  exec: (failure) => `cannot execute ${JSON.stringify(failure.path ?? failure.argv0)}`,
  sandbox: ({ sandbox }) => `cannot enter the sandbox (${sandbox?.step}${sandbox?.detail ? `: ${sandbox.detail}` : ''})`
}

const syscalls: Record<SubprocessStage, (failure: SubprocessFailure) => string> = {
  stdio: () => 'pipe',
  range: () => 'cgroup',
  clone: () => 'fork',
  chdir: () => 'chdir',
  exec: (failure) => `spawn ${failure.argv0}`,
  sandbox: () => 'confine'
}

export class SubprocessError extends Error {
  /** The errno's name, such as `ENOENT`. */
  readonly code: string
  /** Negative, as in Node's own errors. */
  readonly errno: number
  /** The kind of call, such as `spawn make` or `chdir`. */
  readonly syscall: string
  /** The file or folder that the step was about; `undefined` where there is none. */
  readonly path: string | undefined
  readonly stage: SubprocessStage

  constructor(failure: SubprocessFailure) {
    const [code, words] = getSystemErrorMap().get(-failure.errno) ?? [`E${failure.errno}`, 'unknown error']
    super(`${phrases[failure.stage](failure)}: ${words} (${code})`)
    this.name = 'SubprocessError'
    this.code = code
    this.errno = -failure.errno
    this.syscall = syscalls[failure.stage](failure)
    this.path = failure.path ?? (failure.stage === 'exec' ? failure.argv0 : undefined)
    this.stage = failure.stage
  }
}
