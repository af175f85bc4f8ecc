// What the provider of local backends is made with.

import { invalidRange, invalidType } from '../../errors/invalid-input.js'
import { checkKeys, checkText, hasFields, isObject } from '../../subprocess/preflight-values.js'
import type { SubprocessRuntime } from '../../subprocess/runtime.js'
import { backendNames, type SandboxBackendName } from './backend-name.js'

/** The part of the options that a context passes on. */
export interface SandboxBackendOptions {
  /** The backends that may be used, in order; absent: all of this platform. */
  readonly backends?: readonly SandboxBackendName[] | undefined
  /** Bound of the trial of each backend; absent: 5000. */
  readonly probeTimeoutMs?: number | undefined
  /**
   * A runner of one's own: program and first arguments, to which those of bubblewrap are added. It takes the place of all
   * backends and counts as full. It needs `runnerFailureSignatures`. An empty list is none.
   */
  readonly runnerCommand?: readonly string[] | undefined
  /** What a line of the runner's stderr contains if the runner itself failed. */
  readonly runnerFailureSignatures?: readonly string[] | undefined
}

export interface LocalSandboxOptions extends SandboxBackendOptions {
  /** Runs the trials. */
  readonly subprocess: SubprocessRuntime
}

const known: ReadonlySet<string> = new Set([
  'subprocess',
  'backends',
  'probeTimeoutMs',
  'runnerCommand',
  'runnerFailureSignatures'
] satisfies (keyof LocalSandboxOptions)[])

/** Longest bound of a trial: the largest delay of a timer. */
const MAX_TIMEOUT_MS = 2_147_483_647

function checkBackends(option: string, backends: unknown): SandboxBackendName[] {
  if (!Array.isArray(backends)) throw invalidType(option, backends, 'must be a list of backends')
  const copy: SandboxBackendName[] = [...backends]
  if (copy.length === 0) throw invalidType(option, backends, 'must name at least one backend')
  for (const [index, name] of copy.entries()) {
    if (backendNames.includes(name)) continue
    throw invalidType(`${option}[${index}]`, name, "must be 'native', 'bwrap', 'landlock' or 'seatbelt'")
  }
  return copy
}

function checkTimeout(option: string, value: unknown): void {
  if (typeof value === 'number' && value > 0 && value <= MAX_TIMEOUT_MS) return
  const problem = `must be a positive finite number no greater than ${MAX_TIMEOUT_MS}`
  throw typeof value === 'number' ? invalidRange(option, value, problem) : invalidType(option, value, problem)
}

function checkTexts(option: string, texts: unknown): string[] {
  if (!Array.isArray(texts)) throw invalidType(option, texts, 'must be a list of strings')
  const copy: unknown[] = [...texts]
  for (const [index, text] of copy.entries()) checkText(option, text, index)
  return copy as string[]
}

function checkSignatures(option: string, signatures: readonly string[]): void {
  for (const [index, signature] of signatures.entries()) {
    if (signature.trim() !== '' && !/[\r\n]/.test(signature)) continue
    throw invalidType(`${option}[${index}]`, signature, 'must be a single line that is not blank')
  }
}

/** Signatures say how a runner fails, so that neither is of use without the other. */
function checkRunner(command: readonly string[], signatures: readonly string[]): void {
  if (command.length > 0 && signatures.length === 0) {
    throw invalidType('runnerFailureSignatures', signatures, 'must name at least one signature for runnerCommand')
  }
  if (command.length === 0 && signatures.length > 0) {
    throw invalidType('runnerFailureSignatures', signatures, 'must not be given without runnerCommand')
  }
  if (command[0] === '') throw invalidType('runnerCommand', command, 'must begin with a program')
}

/** Copies of the lists and the number, each looked at once. */
function checkBackendOptions(options: SandboxBackendOptions): SandboxBackendOptions {
  const { probeTimeoutMs } = options
  if (probeTimeoutMs !== undefined) checkTimeout('probeTimeoutMs', probeTimeoutMs)
  const runnerCommand = checkTexts('runnerCommand', options.runnerCommand ?? [])
  const runnerFailureSignatures = checkTexts('runnerFailureSignatures', options.runnerFailureSignatures ?? [])
  checkSignatures('runnerFailureSignatures', runnerFailureSignatures)
  checkRunner(runnerCommand, runnerFailureSignatures)
  const backends = options.backends === undefined ? undefined : checkBackends('backends', options.backends)
  return { backends, probeTimeoutMs, runnerCommand, runnerFailureSignatures }
}

/** A copy of sound options. @throws TypeError or RangeError that names the option and the value. */
export function checkLocalOptions(options: unknown): LocalSandboxOptions {
  if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
  const own = { ...options }
  checkKeys('', own, known)
  if (!isObject(own.subprocess) || typeof own.subprocess.spawn !== 'function') {
    throw invalidType('subprocess', own.subprocess, 'must be a SubprocessRuntime')
  }
  return { ...own, ...checkBackendOptions(own) } as LocalSandboxOptions
}
