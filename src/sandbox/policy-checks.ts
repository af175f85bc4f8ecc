// What a policy must be. It is data from outside, so every field is read once and looked at.

import { invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkText, isObject } from '../subprocess/preflight-values.js'
import type { SandboxExecutionPolicy, SandboxMode, SandboxNetwork } from './types.js'

/** Each is wider than the one before it. */
export const sandboxModes: readonly SandboxMode[] = ['read-only', 'workspace-write', 'danger-full-access']

const known: ReadonlySet<string> = new Set([
  'mode',
  'workspaceRoot',
  'sessionId',
  'writableRoots',
  'hiddenPaths',
  'network'
] satisfies (keyof SandboxExecutionPolicy)[])

export function checkMode(option: string, mode: unknown): asserts mode is SandboxMode {
  if (sandboxModes.includes(mode as SandboxMode)) return
  throw invalidType(option, mode, "must be 'read-only', 'workspace-write' or 'danger-full-access'")
}

export function checkNetwork(option: string, network: unknown): asserts network is SandboxNetwork | undefined {
  if (network === undefined || network === 'host' || network === 'none') return
  throw invalidType(option, network, "must be 'host' or 'none'")
}

/** Absolute, since a relative path would mean another place for each working folder. */
export function checkAbsolute(option: string, path: unknown, part?: number): asserts path is string {
  checkText(option, path, part)
  if (path.startsWith('/')) return
  throw invalidType(part === undefined ? option : `${option}[${part}]`, path, 'must be an absolute path')
}

/** A copy of the list; `undefined` for none. */
export function checkPaths(option: string, paths: unknown): readonly string[] | undefined {
  if (paths === undefined) return undefined
  if (!Array.isArray(paths)) throw invalidType(option, paths, 'must be a list of absolute paths')
  const copy: unknown[] = [...paths]
  for (const [index, path] of copy.entries()) checkAbsolute(option, path, index)
  return Object.freeze(copy as string[])
}

const checked = new WeakSet<object>()

/**
 * A frozen copy of a sound policy.
 * @throws TypeError that names the field, `option` before it, and the value.
 */
export function checkPolicy(option: string, policy: unknown): SandboxExecutionPolicy {
  if (isObject(policy) && checked.has(policy)) return policy as unknown as SandboxExecutionPolicy
  if (!isObject(policy) || Array.isArray(policy)) throw invalidType(option, policy, 'must be an object')
  const own: Record<string, unknown> = { ...policy }
  checkKeys(option, own, known)
  checkMode(`${option}.mode`, own.mode)
  checkAbsolute(`${option}.workspaceRoot`, own.workspaceRoot)
  if (own.sessionId !== undefined) checkText(`${option}.sessionId`, own.sessionId)
  own.writableRoots = checkPaths(`${option}.writableRoots`, own.writableRoots)
  own.hiddenPaths = checkPaths(`${option}.hiddenPaths`, own.hiddenPaths)
  checkNetwork(`${option}.network`, own.network)
  checked.add(Object.freeze(own))
  return own as unknown as SandboxExecutionPolicy
}
