// Checks a terminal spec before anything exists: graceMs, an aborted signal, argv[0], then the rest. The values that
// commands and terminals share are checked as for commands.

import { emptyTerminalProgram, invalidGrace } from '../errors/contract-texts.js'
import { invalidRange, invalidType } from '../errors/invalid-input.js'
import { checkArgv, checkEnv, checkFolder, isDelay } from './preflight.js'
import { checkKeys, checkSignal, isObject, throwIfAborted } from './preflight-values.js'
import { snapshotFields, snapshotList } from './snapshot.js'
import type { SubprocessTerminalSpawnSpec } from './terminal-types.js'

const specKeys: ReadonlySet<string> = new Set([
  'argv',
  'cwd',
  'env',
  'rows',
  'cols',
  'graceMs',
  'signal'
] satisfies (keyof SubprocessTerminalSpawnSpec)[])

/** What the window size of a terminal is kept in: an unsigned short. */
const largestSide = 65_535

/**
 * The spec as it is now, every field read once.
 * @throws for the first fault; for a signal that has aborted, its reason.
 */
export function preflightTerminal(given: unknown): SubprocessTerminalSpawnSpec {
  if (!isObject(given) || Array.isArray(given)) throw invalidType('spec', given, 'must be an object')
  const spec = { ...given, argv: snapshotList(given.argv), env: snapshotFields(given.env) } as Record<string, unknown>
  if (!isDelay(spec.graceMs)) throw invalidGrace(spec.graceMs)
  throwIfAborted(spec.signal as AbortSignal | undefined)
  const { argv } = spec
  if (!Array.isArray(argv) || typeof argv[0] !== 'string' || argv[0] === '') throw emptyTerminalProgram(argv)
  checkKeys('', spec, specKeys)
  checkArgv(argv)
  checkFolder(spec.cwd)
  checkSignal('signal', spec.signal)
  checkEnv(spec.env as SubprocessTerminalSpawnSpec['env'])
  checkSide('rows', spec.rows)
  checkSide('cols', spec.cols)
  return spec as unknown as SubprocessTerminalSpawnSpec
}

/** Rows or columns of a window. */
export function checkSide(option: 'rows' | 'cols', value: unknown): void {
  if (Number.isInteger(value) && (value as number) >= 1 && (value as number) <= largestSide) return
  const refuse = typeof value === 'number' ? invalidRange : invalidType
  throw refuse(option, value, `must be an integer from 1 to ${largestSide}`)
}
