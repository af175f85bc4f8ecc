// Checks a spawn spec before anything exists. Runs for every command, so by hand and without a schema library.
// The first three checks and their order are part of the contract; every later one names the option and the value.

import { abortedBeforeSpawn, invalidGrace, invalidProgram, maxTimerDelayMs } from '../errors/contract-texts.js'
import { invalidRange, invalidType } from '../errors/invalid-input.js'
import { checkLimits } from './preflight-limits.js'
import { checkStdio } from './preflight-stdio.js'
import { checkKeys, checkSignal, checkText, checkVariables, checkVariableValue, isObject } from './preflight-values.js'
import { PreparedConfinement } from './prepared-confinement.js'
import type { SubprocessEnvironment, SubprocessSpawnSpec } from './types.js'

const specKeys: ReadonlySet<string> = new Set([
  'argv',
  'cwd',
  'stdio',
  'graceMs',
  'signal',
  'env',
  'deadlineMs',
  'leftovers',
  'limits',
  'confinement'
] satisfies (keyof SubprocessSpawnSpec)[])

/**
 * Throws for the first fault of `spec`: graceMs, an aborted signal, argv[0], then the rest.
 * Types say what a caller may pass; this looks at what really came.
 */
export function preflight(spec: SubprocessSpawnSpec): void {
  if (!isObject(spec)) throw invalidType('spec', spec, 'must be an object')
  if (!isDelay(spec.graceMs)) throw invalidGrace(spec.graceMs)
  if (spec.signal?.aborted === true) throw abortedBeforeSpawn(spec.signal)
  if (!Array.isArray(spec.argv) || typeof spec.argv[0] !== 'string' || spec.argv[0] === '') {
    throw invalidProgram(spec.argv)
  }
  checkKeys('', spec, specKeys)
  checkArgv(spec.argv)
  checkFolder(spec.cwd)
  checkStdio(spec.stdio)
  checkSignal('signal', spec.signal)
  checkEnv(spec.env)
  checkDeadline(spec.deadlineMs)
  checkLeftovers(spec.leftovers)
  if (spec.limits !== undefined) checkLimits('limits', spec.limits)
  checkConfinement(spec)
}

export function isDelay(value: unknown): boolean {
  return typeof value === 'number' && value > 0 && value <= maxTimerDelayMs
}

export function checkArgv(argv: readonly unknown[]): void {
  for (let index = 0; index < argv.length; index += 1) checkText('argv', argv[index], index)
}

export function checkFolder(cwd: unknown): void {
  checkText('cwd', cwd)
  if (cwd === '') throw invalidType('cwd', cwd, 'must be a non-empty string')
}

export function checkEnv(env: SubprocessEnvironment | undefined): void {
  if (env === undefined) return
  checkVariables('env', env)
  for (const name of Object.keys(env)) checkVariable(name, env[name])
}

/** A name with `=` in it would become another variable; an empty one cannot be passed at all. */
function checkVariable(name: string, value: unknown): void {
  if (name === '' || name.includes('=')) {
    throw invalidType('env', name, 'must have only non-empty names without "="')
  }
  checkText('env', name)
  if (value !== undefined) checkVariableValue('env', value, name)
}

function checkDeadline(deadlineMs: unknown): void {
  if (deadlineMs === undefined || isDelay(deadlineMs)) return
  const problem = `must be a positive finite number no greater than ${maxTimerDelayMs}`
  throw typeof deadlineMs === 'number'
    ? invalidRange('deadlineMs', deadlineMs, problem)
    : invalidType('deadlineMs', deadlineMs, problem)
}

function checkLeftovers(leftovers: unknown): void {
  if (leftovers === undefined || leftovers === 'keep' || leftovers === 'terminate') return
  throw invalidType('leftovers', leftovers, "must be 'keep' or 'terminate'")
}

/** Bound to one command line: whatever runtime gets the spec, the same command is confined in the same way. */
function checkConfinement({ argv, confinement }: SubprocessSpawnSpec): void {
  if (confinement === undefined) return
  if (!(confinement instanceof PreparedConfinement)) {
    throw invalidType('confinement', confinement, 'must come from a sandbox provider')
  }
  if (!confinement.standsFor(argv)) throw invalidType('argv', argv, 'must be the one that came with its confinement')
}
