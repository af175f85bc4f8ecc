// Which step of a start failed. child_process names the program whatever went wrong; here the working folder, the
// descriptors and the process itself are told apart.

import * as fs from 'node:fs'
import { getSystemErrorMap } from 'node:util'
import { SubprocessError, type SubprocessStage } from '../../errors/subprocess-error.js'

export interface StartedFrom {
  readonly argv: readonly string[]
  readonly cwd: string
}

/** The error for `done`; what carries no errno is passed on as it is. */
export function startError(error: NodeJS.ErrnoException, { argv, cwd }: StartedFrom): Error {
  if (typeof error.errno !== 'number') return error
  const argv0 = argv[0] ?? ''
  const folderErrno = isOfProgram(error) ? folderFault(cwd) : null
  if (folderErrno !== null) return new SubprocessError({ stage: 'chdir', errno: folderErrno, argv0, path: cwd })
  const stage = stageOf(error)
  return new SubprocessError({ stage, errno: Math.abs(error.errno), argv0, path: stage === 'exec' ? argv0 : undefined })
}

/** The error for a command whose descriptors could not be prepared. */
export function stdioError(error: NodeJS.ErrnoException, { argv }: StartedFrom): Error {
  if (typeof error.errno !== 'number') return error
  return new SubprocessError({ stage: 'stdio', errno: Math.abs(error.errno), argv0: argv[0] ?? '', path: error.path })
}

const stages: Readonly<Record<string, SubprocessStage>> = {
  EAGAIN: 'clone',
  ENOMEM: 'clone',
  EMFILE: 'stdio',
  ENFILE: 'stdio'
}

function stageOf(error: NodeJS.ErrnoException): SubprocessStage {
  return stages[error.code ?? ''] ?? 'exec'
}

function isOfProgram(error: NodeJS.ErrnoException): boolean {
  return stageOf(error) === 'exec'
}

/** What is wrong with the folder, as a positive errno; looked at only after a failure, so a start costs nothing more. */
export function folderFault(cwd: string): number | null {
  try {
    if (!fs.statSync(cwd).isDirectory()) return errnoOf('ENOTDIR')
    fs.accessSync(cwd, fs.constants.X_OK)
    return null
  } catch (error) {
    return Math.abs((error as NodeJS.ErrnoException).errno ?? errnoOf('ENOENT'))
  }
}

export function errnoOf(name: string): number {
  for (const [errno, [code]] of getSystemErrorMap()) if (code === name) return -errno
  throw new Error(`this platform does not know ${name}`)
}
