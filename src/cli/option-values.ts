// How the values of the command line's options are read.

import { InvalidArgumentError } from 'commander'
import { delayProblem, isDelay } from '../shell/durations.js'
import { rangeKinds } from '../subprocess/local/options.js'

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 }

/** `1500`, `1500ms`, `10s`, `2.5m` or `1h`, in milliseconds. */
export function readDuration(text: string): number {
  const [, number, unit = 'ms'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/.exec(text) ?? []
  const ms = Number(number) * (unitsMs[unit] ?? Number.NaN)
  if (Number.isNaN(ms)) throw new InvalidArgumentError('It is no duration; examples: 1500, 1500ms, 10s, 2m, 1h.')
  if (!isDelay(ms)) throw new InvalidArgumentError(`It ${delayProblem} (in milliseconds).`)
  return ms
}

export function readFolder(text: string): string {
  if (text === '') throw new InvalidArgumentError('It must not be empty.')
  return text
}

/** Adds one absolute path to those before it; a relative one lies below the working folder of this process. */
export function readPaths(text: string, before: readonly string[] = []): string[] {
  return [...before, text.startsWith('/') ? text : `${process.cwd()}/${readFolder(text)}`]
}

export function readBytes(text: string): number {
  const bytes = /^\d+$/.test(text) ? Number(text) : 0
  if (bytes === 0 || !Number.isSafeInteger(bytes)) throw new InvalidArgumentError('It must be a positive whole number.')
  return bytes
}

/** Adds one `NAME=VALUE` to those before it. */
export function readVariable(text: string, before: Readonly<Record<string, string>> = {}): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be NAME=VALUE.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

/** Adds one kind, or several with commas between them, to those before it. */
export function readRanges(text: string, before: readonly string[] = []): string[] {
  const kinds = text.split(',')
  const unknown = kinds.find((kind) => !rangeKinds.has(kind))
  if (unknown !== undefined) {
    const allowed = [...rangeKinds].join(', ')
    throw new InvalidArgumentError(
      `There is no range '${unknown}'; allowed are ${allowed}, several with commas between.`
    )
  }
  return [...before, ...kinds]
}
