// What one execution keeps of how its command was confined, and how it reads the end of that command. Each execution has
// its own: commands under different policies and backends run side by side.

import { accessSync, constants, statSync } from 'node:fs'
import { blamesSandbox, isDenied, runnerFailureLine } from '../sandbox/reading.js'
import type { ConfinedArgv, SandboxExecutionPolicy } from '../sandbox/types.js'
import { SandboxUnavailableError } from '../sandbox/unavailable.js'
import type { ShellSandboxInfo } from './types.js'

/** Facts after the end, and the error if it was the runner that failed. */
export interface Reading {
  readonly info: ShellSandboxInfo
  readonly error?: SandboxUnavailableError
}

export interface Confinement {
  /** While nothing else is known. */
  readonly info: ShellSandboxInfo
  /** Of a command that exited by itself with that code. */
  readEnd(exitCode: number, stderr: () => string): Reading
  /** Of a start that failed; without an error of its own where the runner is not to blame. */
  readFailedStart(error: unknown, workdir: string): Reading
}

/** Nothing confines it, and nothing can be denied. */
export function unconfined(): Confinement {
  const info: ShellSandboxInfo = Object.freeze({ mode: 'danger-full-access', denied: false })
  return { info, readEnd: () => ({ info }), readFailedStart: () => ({ info }) }
}

function infoOf({ mode }: SandboxExecutionPolicy, confined: ConfinedArgv): ShellSandboxInfo {
  const { enforcement, backend, notGoverned, warnings } = confined
  return {
    mode,
    denied: false,
    enforcement,
    backend,
    ...(notGoverned.length > 0 && { notGoverned }),
    ...(warnings && warnings.length > 0 && { warnings })
  }
}

/** A folder that cannot be entered is what failed then, whatever the error names. */
function canBeEntered(folder: string): boolean {
  try {
    accessSync(folder, constants.X_OK)
    return statSync(folder).isDirectory()
  } catch {
    return false
  }
}

export function confinementBy(confined: ConfinedArgv, policy: SandboxExecutionPolicy): Confinement {
  const info = infoOf(policy, confined)
  const failed = (runnerFailure: string, cause?: unknown): Reading => ({
    info: { ...info, runnerFailed: true },
    error: new SandboxUnavailableError({ mode: policy.mode, attempts: [], runnerFailure }, { cause })
  })
  return {
    info,
    readEnd(exitCode, stderr) {
      if (exitCode === 0) return { info }
      const ended = { exitCode, stderr: stderr() }
      const line = runnerFailureLine(confined.runnerFailureRules, ended)
      if (line !== null) return failed(line)
      return { info: isDenied(confined.denialSignatures, ended) ? { ...info, denied: true } : info }
    },
    readFailedStart(error, workdir) {
      if (!blamesSandbox(confined, error) || !canBeEntered(workdir)) return { info }
      return failed(error instanceof Error ? error.message : String(error), error)
    }
  }
}
