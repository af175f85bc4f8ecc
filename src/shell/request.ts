// From a request to a spec: the checks of every field, the defaults, the caps. A spec that `resolve` made is known by
// its class and is not checked again; one that was made or changed by hand is.

import type { SubprocessEnvironment } from '../subprocess/types.js'
import { byteCount, positiveDuration, timerDuration } from './limits.js'
import { demand, demandKnownKeys, refuse } from './refusal.js'
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
  'onExpiry',
  'leftovers'
] satisfies (keyof ShellExecRequest)[])

const specKeys: ReadonlySet<string> = new Set([
  ...requestKeys,
  ...(['stderrMaxBytes', 'maxSpillBytes', 'graceMs'] satisfies (keyof ShellExecSpec)[])
])

const loneSurrogate = /\p{Surrogate}/u
const dshName = /^DSH_[A-Z][A-Z0-9_]*$/

/** Text that the kernel takes as one string: no NUL byte, nothing that UTF-8 cannot say. */
function checkText(option: string, value: unknown): asserts value is string {
  if (typeof value !== 'string') throw refuse(option, value, 'must be a string')
  const nul = value.indexOf('\0')
  if (nul !== -1) throw refuse(option, value, `must not contain a NUL byte, there is one at offset ${nul}`)
  const surrogate = value.search(loneSurrogate)
  if (surrogate !== -1) throw refuse(option, value, `must not contain a lone surrogate, there is one at offset ${surrogate}`)
}

function checkFilled(option: string, value: unknown): asserts value is string {
  checkText(option, value)
  if (value === '') throw refuse(option, value, 'must not be empty')
}

function checkEnvironment(option: string, env: unknown): asserts env is SubprocessEnvironment {
  if (typeof env !== 'object' || env === null) throw refuse(option, env, 'must be an object')
  for (const [name, value] of Object.entries(env)) {
    if (name === '' || name.includes('=')) throw refuse(option, env, `has the impossible name ${JSON.stringify(name)}`)
    checkText(`${option} (a name in it)`, name)
    if (value !== undefined) checkText(`${option}.${name}`, value)
  }
}

function checkDshEnvironment(option: string, env: unknown): void {
  checkEnvironment(option, env)
  for (const [name, value] of Object.entries(env)) {
    if (!dshName.test(name)) throw refuse(`${option}.${name}`, value, 'must have a name like DSH_NAME')
    if (value === undefined) throw refuse(`${option}.${name}`, value, 'must be a string')
  }
}

/** The checks that a request and a spec share. `name` is what errors call it. */
function checkFields(given: Record<string, unknown>, name: string): void {
  checkFilled(`${name}.command`, given.command)
  if (given.workdir !== undefined) checkFilled(`${name}.workdir`, given.workdir)
  if (given.timeoutMs !== undefined) demand(positiveDuration, `${name}.timeoutMs`, given.timeoutMs)
  if (given.stdoutMaxBytes !== undefined) demand(byteCount, `${name}.stdoutMaxBytes`, given.stdoutMaxBytes)
  if (given.signal !== undefined && !(given.signal instanceof AbortSignal)) {
    throw refuse(`${name}.signal`, given.signal, 'must be an AbortSignal')
  }
  if (given.stdin !== undefined && typeof given.stdin !== 'string') {
    throw refuse(`${name}.stdin`, given.stdin, 'must be a string')
  }
  if (given.env !== undefined) checkEnvironment(`${name}.env`, given.env)
  if (given.dshEnv !== undefined) checkDshEnvironment(`${name}.dshEnv`, given.dshEnv)
  if (given.onExpiry !== undefined && given.onExpiry !== 'kill' && given.onExpiry !== 'none') {
    throw refuse(`${name}.onExpiry`, given.onExpiry, "must be 'kill' or 'none'")
  }
  if (given.leftovers !== undefined && given.leftovers !== 'keep' && given.leftovers !== 'terminate') {
    throw refuse(`${name}.leftovers`, given.leftovers, "must be 'keep' or 'terminate'")
  }
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

  constructor(settings: ShellSettings, request: ShellExecRequest, base: string) {
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
    Object.freeze(this)
  }

  static made(spec: object): boolean {
    return #resolved in spec && spec.#resolved
  }
}

/** A relative folder lies below `base`. `..` is left to the kernel, since folding it would step over symbolic links. */
function placeBelow(base: string, workdir: string | undefined): string {
  if (workdir === undefined) return base
  return workdir.startsWith('/') || /^[A-Za-z]:[\\/]/.test(workdir) ? workdir : `${base}/${workdir}`
}

/** @throws TypeError or RangeError that names the field and the value. */
export function resolveRequest(request: ShellExecRequest, settings: ShellSettings, base: string): ShellExecSpec {
  demandKnownKeys(request, requestKeys, 'request')
  checkFields(request as Record<string, unknown>, 'request')
  return new ResolvedSpec(settings, request, base)
}

/** Holds a spec that `resolve` did not make to the same rules; nothing is filled in and nothing is capped here. */
export function checkSpec(spec: ShellExecSpec): void {
  if (typeof spec === 'object' && spec !== null && ResolvedSpec.made(spec)) return
  demandKnownKeys(spec, specKeys, 'spec')
  const given = spec as Record<string, unknown>
  checkFields(given, 'spec')
  checkFilled('spec.workdir', given.workdir)
  demand(timerDuration, 'spec.timeoutMs', given.timeoutMs)
  demand(byteCount, 'spec.stdoutMaxBytes', given.stdoutMaxBytes)
  demand(byteCount, 'spec.stderrMaxBytes', given.stderrMaxBytes)
  demand(byteCount, 'spec.maxSpillBytes', given.maxSpillBytes)
  demand(timerDuration, 'spec.graceMs', given.graceMs)
  for (const field of ['onExpiry', 'leftovers'] as const) {
    if (given[field] === undefined) throw refuse(`spec.${field}`, given[field], 'must be given')
  }
}
