// node-pty, an optional package, loaded when the first terminal is asked for. Only its fork is used: reading, writing and the
// exit stay here, since its own stream drops what is unread 200 ms after the exit and retries a full terminal without rest.

import { createRequire } from 'node:module'
import * as path from 'node:path'
import { TerminalUnavailableError } from '../../../errors/terminal-unavailable.js'

export interface ForkedPty {
  /** The terminal's own end; not blocking. */
  readonly fd: number
  readonly pid: number
  /** Path of the end that the command has. */
  readonly pty: string
}

export interface PtyBinding {
  fork(
    file: string,
    args: readonly string[],
    env: readonly string[],
    cwd: string,
    cols: number,
    rows: number,
    uid: number,
    gid: number,
    utf8: boolean,
    helper: string,
    onExit: (exitCode: number, signal: number) => void
  ): ForkedPty
  resize(fd: number, cols: number, rows: number): void
}

export interface LoadedPty {
  readonly binding: PtyBinding
  /** The program that starts commands on macOS. */
  readonly helper: string
}

const remedy = 'install node-pty 1.1 (npm install node-pty), which needs a compiler on Linux, or use the native core'

let loaded: LoadedPty | undefined

/** How modules are found; as that of a file here. */
export interface Modules {
  (name: string): unknown
  resolve(name: string): string
}

/** @throws TerminalUnavailableError (code `TERMINAL_UNAVAILABLE`) with the remedy; asks again the next time. */
export function loadPty(): LoadedPty {
  loaded ??= loadFrom(createRequire(import.meta.url))
  return loaded
}

export function loadFrom(require: Modules): LoadedPty {
  if (process.platform === 'win32') throw new TerminalUnavailableError('not on Windows', 'use WSL')
  const { version } = attempt('node-pty/package.json') as { version: string }
  // What is used of it is not among what it promises to keep.
  if (!/^1\.1\./.test(version)) throw new TerminalUnavailableError(`node-pty ${version} is not supported`, remedy)
  const utils = attempt('node-pty/lib/utils.js') as {
    loadNativeModule(name: string): { dir: string; module: PtyBinding }
  }
  try {
    const { dir, module: binding } = utils.loadNativeModule('pty')
    return {
      binding,
      helper: path.resolve(path.dirname(require.resolve('node-pty/lib/utils.js')), dir, 'spawn-helper')
    }
  } catch (error) {
    throw unavailable(error)
  }

  function attempt(name: string): unknown {
    try {
      return require(name)
    } catch (error) {
      throw unavailable(error)
    }
  }
}

function unavailable(error: unknown): TerminalUnavailableError {
  const { code, message } = error as NodeJS.ErrnoException
  const reason = code === 'MODULE_NOT_FOUND' ? 'node-pty is not installed' : `node-pty cannot be loaded (${message})`
  return new TerminalUnavailableError(reason.split('\n')[0] ?? reason, remedy, error)
}
