// What the registry of this process is constructed with, and its checks.

import { invalidRange, invalidType } from '../errors/invalid-input.js'
import { TerminalError } from '../errors/terminal-error.js'
import type { SandboxPolicyService } from '../sandbox/policy-service.js'
import type { SandboxProvider } from '../sandbox/provider.js'
import { checkKeys, checkText, isObject } from '../subprocess/preflight-values.js'
import type { SubprocessRuntime } from '../subprocess/runtime.js'
import { bashBackend, type TerminalBackend } from './bash-backend.js'
import { defaultTimings, type TerminalTimings } from './settings.js'

export interface LocalTerminalOptions {
  readonly subprocess: SubprocessRuntime
  /** Of terminals that name none; absent: that of the host at that moment. */
  readonly cwd?: string | undefined
  /** Confines the shells of terminals; absent: nothing is confined. */
  readonly sandbox?: SandboxProvider | undefined
  /** The policy of terminals that name none. While a session has terminals its mode cannot be set there. */
  readonly sandboxPolicy?: SandboxPolicyService | undefined
  /** Beside `bash`. */
  readonly backends?: readonly TerminalBackend[] | undefined
  readonly timings?: Partial<TerminalTimings> | undefined
}

const known = new Set(['subprocess', 'cwd', 'sandbox', 'sandboxPolicy', 'backends', 'timings'])

export interface CheckedOptions extends Omit<LocalTerminalOptions, 'backends' | 'timings'> {
  readonly backends: ReadonlyMap<string, TerminalBackend>
  readonly timings: TerminalTimings
}

export function checkLocalTerminalOptions(options: LocalTerminalOptions): CheckedOptions {
  if (!isObject(options)) throw invalidType('options', options, 'must be an object')
  checkKeys('', options, known)
  if (!isObject(options.subprocess)) throw invalidType('subprocess', options.subprocess, 'must be a SubprocessRuntime')
  if (options.cwd !== undefined) checkText('cwd', options.cwd)
  return { ...options, backends: backendsOf(options.backends ?? []), timings: timingsOf(options.timings ?? {}) }
}

function backendsOf(others: readonly TerminalBackend[]): ReadonlyMap<string, TerminalBackend> {
  const backends = new Map([[bashBackend.name, bashBackend]])
  for (const backend of others) {
    checkText('backends', backend?.name)
    if (backends.has(backend.name)) {
      throw new TerminalError(
        'DUPLICATE_BACKEND',
        `there is a terminal backend ${JSON.stringify(backend.name)} already`
      )
    }
    backends.set(backend.name, backend)
  }
  return backends
}

function timingsOf(given: Partial<TerminalTimings>): TerminalTimings {
  checkKeys('timings', given, new Set(Object.keys(defaultTimings)))
  const timings: Record<string, number> = { ...defaultTimings }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (typeof value !== 'number') throw invalidType(`timings.${name}`, value, 'must be a number')
    if (!(value > 0 && value < 2 ** 31))
      throw invalidRange(`timings.${name}`, value, 'must be a positive number of milliseconds')
    timings[name] = value
  }
  return timings as unknown as TerminalTimings
}
