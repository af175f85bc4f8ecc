// From a request to a spec: the checks of every field, the defaults, the caps. A spec that `resolve` made is known by
// its class and is not checked again; one that was made or changed by hand is.

import { invalidSecret, invalidType } from '../errors/invalid-input.js'
import type { SandboxExecutionPolicy } from '../sandbox/types.js'
import { checkLimits, layerLimits } from '../subprocess/preflight-limits.js'
import {
  checkKeys,
  checkSignal,
  checkSize,
  checkText,
  checkVariables,
  checkVariableValue,
  checkWellFormed,
  isObject
} from '../subprocess/preflight-values.js'
import { snapshotFields } from '../subprocess/snapshot.js'
import type { SubprocessEnvironment, SubprocessLimits } from '../subprocess/types.js'
import { checkDelay, checkTimeout } from './durations.js'
import type { ShellSettings } from './settings.js'
import type { ShellExecRequest, ShellExecSpec, ShellExpiry } from './types.js'

type Leftovers = ShellExecSpec['leftovers']

const requestKeys: ReadonlySet<string> = new Set([
  'command',
  'workdir',
  'timeoutMs',
  'stdoutMaxBytes',
  'signal',
  'stdin',
  'env',
  'dshEnv',
  'sandboxPolicy',
  'onExpiry',
  'leftovers',
  'limits'
] satisfies (keyof ShellExecRequest)[])

const specKeys: ReadonlySet<string> = new Set([
  ...requestKeys,
  ...(['stderrMaxBytes', 'maxSpillBytes', 'graceMs'] satisfies (keyof ShellExecSpec)[])
])

const dshName = /^DSH_[A-Z][A-Z0-9_]*$/

function checkFilled(option: string, value: unknown): void {
  checkText(option, value)
  if (value === '') throw invalidType(option, value, 'must not be empty')
}

function checkChoice(option: string, value: unknown, ...choices: readonly string[]): void {
  if (choices.includes(value as string)) return
  throw invalidType(option, value, `must be ${choices.map((choice) => `'${choice}'`).join(' or ')}`)
}

function checkStdin(option: string, stdin: unknown): void {
  if (typeof stdin !== 'string') throw invalidType(option, stdin, 'must be a string')
  // A NUL byte is data here, but a lone surrogate has no bytes that could be written.
  checkWellFormed(option, stdin)
}

function isVariableName(name: string): boolean {
  return name !== '' && !name.includes('=') && !name.includes('\0') && !/[\ud800-\udfff]/u.test(name)
}

function checkEnvironment(option: string, env: unknown): asserts env is SubprocessEnvironment {
  checkVariables(option, env)
  for (const [name, value] of Object.entries(env)) {
    if (!isVariableName(name))
      throw invalidType(option, name, 'must have only non-empty names without "=", NUL bytes and lone surrogates')
    if (value !== undefined) checkVariableValue(option, value, name)
  }
}

function checkDshEnvironment(option: string, env: unknown): void {
  checkEnvironment(option, env)
  for (const [name, value] of Object.entries(env)) {
    if (!dshName.test(name)) throw invalidSecret(`${option}.${name}`, 'must have a name like DSH_NAME')
    if (value === undefined) throw invalidType(`${option}.${name}`, value, 'must be a string')
  }
}

/** The checks that a request and a spec share. `name` is what errors call it. */
function checkFields(given: Record<string, unknown>, name: string): void {
  const { workdir, timeoutMs, stdoutMaxBytes, signal, stdin, env, dshEnv, onExpiry, leftovers, limits } = given
  checkFilled(`${name}.command`, given.command)
  if (workdir !== undefined) checkFilled(`${name}.workdir`, workdir)
  if (timeoutMs !== undefined) checkTimeout(`${name}.timeoutMs`, timeoutMs)
  if (stdoutMaxBytes !== undefined) checkSize(`${name}.stdoutMaxBytes`, stdoutMaxBytes)
  checkSignal(`${name}.signal`, signal)
  if (stdin !== undefined) checkStdin(`${name}.stdin`, stdin)
  if (env !== undefined) checkEnvironment(`${name}.env`, env)
  if (dshEnv !== undefined) checkDshEnvironment(`${name}.dshEnv`, dshEnv)
  if (onExpiry !== undefined) checkChoice(`${name}.onExpiry`, onExpiry, 'kill', 'none')
  if (leftovers !== undefined) checkChoice(`${name}.leftovers`, leftovers, 'keep', 'terminate')
  if (limits !== undefined) checkLimits(`${name}.limits`, limits)
}

class ResolvedSpec implements ShellExecSpec {
  readonly #resolved = true
  readonly command: string
  readonly workdir: string
  readonly timeoutMs: number
  readonly stdoutMaxBytes: number
  readonly stderrMaxBytes: number
  readonly maxSpillBytes: number
  readonly graceMs: number
  readonly onExpiry: ShellExpiry
  readonly leftovers: Leftovers
  readonly signal?: AbortSignal
  readonly stdin?: string
  readonly env?: SubprocessEnvironment
  readonly dshEnv?: Readonly<Record<`DSH_${string}`, string>>
  readonly sandboxPolicy?: SandboxExecutionPolicy
  readonly limits?: SubprocessLimits

  constructor(
    settings: ShellSettings,
    request: ShellExecRequest,
    base: string,
    sandboxPolicy: SandboxExecutionPolicy | undefined
  ) {
    this.command = request.command
    this.workdir = placeBelow(base, request.workdir)
    this.timeoutMs = Math.min(request.timeoutMs ?? settings.timeoutMs, settings.maxTimeoutMs)
    this.stdoutMaxBytes = request.stdoutMaxBytes ?? settings.maxOutputBytes
    this.stderrMaxBytes = settings.maxOutputBytes
    this.maxSpillBytes = settings.maxSpillBytes
    this.graceMs = settings.graceMs
    this.onExpiry = request.onExpiry ?? 'kill'
    this.leftovers = request.leftovers ?? 'keep'
    if (request.signal) this.signal = request.signal
    if (request.stdin !== undefined) this.stdin = request.stdin
    if (request.env) this.env = Object.freeze({ ...request.env })
    if (request.dshEnv) this.dshEnv = Object.freeze({ ...request.dshEnv })
    if (sandboxPolicy) this.sandboxPolicy = sandboxPolicy
    const limits = layerLimits(settings.limits, request.limits)
    if (limits) this.limits = limits
    Object.freeze(this)
  }

  static made(spec: object): boolean {
    return #resolved in spec && spec.#resolved
  }
}

/** A relative folder lies below `base`. `..` is left to the kernel, since folding it would step over symbolic links. */
export function placeBelow(base: string, workdir: string | undefined): string {
  if (workdir === undefined) return base
  return workdir.startsWith('/') || /^[A-Za-z]:[\\/]/.test(workdir) ? workdir : `${base}/${workdir}`
}

/** Every field of `given`, read once. */
function snapshot(name: string, given: unknown): Record<string, unknown> {
  if (!isObject(given)) throw invalidType(name, given, 'must be an object')
  const own = { ...given }
  for (const values of ['env', 'dshEnv', 'limits'] as const) {
    if (own[values] !== undefined) own[values] = snapshotFields(own[values])
  }
  return own
}

/** The executor's word on the policy of a request: the one that holds, or an error. */
export type PolicyOf = (given: SandboxExecutionPolicy | undefined) => SandboxExecutionPolicy | undefined

/** @throws TypeError or RangeError that names the field and the value. */
export function resolveRequest(
  request: ShellExecRequest,
  settings: ShellSettings,
  base: string,
  policyOf: PolicyOf
): ShellExecSpec {
  const given = snapshot('request', request)
  checkKeys('request', given, requestKeys)
  checkFields(given, 'request')
  const sound = given as unknown as ShellExecRequest
  return new ResolvedSpec(settings, sound, base, policyOf(sound.sandboxPolicy))
}

/** Holds a spec that `resolve` did not make to the same rules; nothing is filled in and nothing is capped here. */
export function checkSpec(spec: ShellExecSpec): ShellExecSpec {
  if (isObject(spec) && ResolvedSpec.made(spec)) return spec
  const given = snapshot('spec', spec)
  checkKeys('spec', given, specKeys)
  checkFields(given, 'spec')
  checkFilled('spec.workdir', given.workdir)
  checkDelay('spec.timeoutMs', given.timeoutMs)
  checkSize('spec.stdoutMaxBytes', given.stdoutMaxBytes)
  checkSize('spec.stderrMaxBytes', given.stderrMaxBytes)
  checkSize('spec.maxSpillBytes', given.maxSpillBytes)
  checkDelay('spec.graceMs', given.graceMs)
  checkChoice('spec.onExpiry', given.onExpiry, 'kill', 'none')
  checkChoice('spec.leftovers', given.leftovers, 'keep', 'terminate')
  return Object.freeze(given) as unknown as ShellExecSpec
}
