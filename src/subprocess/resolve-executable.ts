// Finds the file that a program name means, as the command itself would: the scrubbed PATH with the overrides on it.

import * as fs from 'node:fs'
import { delimiter, isAbsolute, resolve } from 'node:path'
import { composeEnvironment } from './environment.js'
import { checkEnv } from './preflight.js'
import { checkSignal, checkText, throwIfAborted } from './preflight-values.js'
import type { SubprocessEnvironment } from './types.js'

const windows = process.platform === 'win32'

/**
 * An absolute path is checked, a bare name searched; a relative path with a separator is refused.
 * @throws the reason of `signal` once that has aborted, also when a file was found meanwhile.
 */
export async function resolveExecutable(
  command: string,
  env?: SubprocessEnvironment,
  signal?: AbortSignal
): Promise<string> {
  checkText('command', command)
  checkEnv(env)
  checkSignal('signal', signal)
  if (command.length === 0) throw new Error('executable must be non-empty')
  throwIfAborted(signal)
  const absolute = isAbsolute(command)
  if (!absolute && hasSeparator(command)) {
    throw new Error(`${quoted(command)} is a relative path; use an absolute path or a bare PATH name`)
  }
  for (const candidate of absolute ? [command] : candidates(command, composeEnvironment(env))) {
    throwIfAborted(signal)
    const found = await isExecutableFile(candidate)
    throwIfAborted(signal)
    if (found) return candidate
  }
  throwIfAborted(signal)
  throw new Error(`${quoted(command)} ${absolute ? 'is not an executable file' : 'was not found on PATH'}`)
}

function quoted(command: string): string {
  return `command ${JSON.stringify(command)}`
}

function hasSeparator(command: string): boolean {
  return command.includes('/') || (windows && command.includes('\\'))
}

/** A relative PATH entry, the empty one included, counts from the host's working folder. */
function candidates(command: string, environment: ReadonlyMap<string, string>): string[] {
  const path = variable(environment, 'PATH')
  if (path === undefined) return []
  const names = windows ? windowsNames(command, variable(environment, 'PATHEXT')) : [command]
  return path.split(delimiter).flatMap((folder) => names.map((name) => resolve(folder, name)))
}

function windowsNames(command: string, extensions = '.COM;.EXE;.BAT;.CMD'): string[] {
  return [command, ...extensions.split(';').map((extension) => command + extension)]
}

function variable(environment: ReadonlyMap<string, string>, name: string): string | undefined {
  if (!windows) return environment.get(name)
  for (const [key, value] of environment) if (key.toUpperCase() === name) return value
  return undefined
}

async function isExecutableFile(path: string): Promise<boolean> {
  try {
    if (!(await fs.promises.stat(path)).isFile()) return false
    await fs.promises.access(path, fs.constants.X_OK)
    return true
  } catch {
    // Whatever is wrong with this candidate, it is not the program; the one error for all of them comes at the end.
    return false
  }
}
