// The options that say what a command may use at most.

import { type Command, InvalidArgumentError } from 'commander'
import { type LimitName, limitRules } from '../subprocess/preflight-limits.js'
import type { SubprocessLimits } from '../subprocess/types.js'

export interface LimitOptions {
  readonly memory?: number
  readonly pids?: number
  readonly cpus?: number
  readonly cpuSeconds?: number
  readonly fileBytes?: number
  readonly openFiles?: number
}

const unitBytes: Readonly<Record<string, number>> = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3, t: 1024 ** 4 }

/** `limit` by the rule that holds for it everywhere; `unit` is what the number is multiplied by. */
function readLimit(limit: LimitName, digits: string | undefined, unit: number | undefined = Number.NaN): number {
  const value = Number(digits) * unit
  const { accepts, problem } = limitRules[limit]
  if (!accepts(value)) throw new InvalidArgumentError(`It ${problem}.`)
  return value
}

/** `500` or `500m`: bytes, or with a unit of 1024, 1024 to the second, third or fourth power. */
function readSize(limit: LimitName): (text: string) => number {
  return (text) => {
    const [, digits, unit = ''] = /^(\d+)([kmgt])?$/i.exec(text) ?? []
    return readLimit(limit, digits, unitBytes[unit.toLowerCase()])
  }
}

function readNumber(limit: LimitName): (text: string) => number {
  return (text) => readLimit(limit, /^\d+(?:\.\d+)?$/.test(text) ? text : undefined, 1)
}

export function addLimitOptions(command: Command): Command {
  return command
    .option('--memory <bytes>', 'memory of all its processes together, such as 512m', readSize('memoryBytes'))
    .option('--pids <number>', 'processes and threads at one time, all together', readNumber('pids'))
    .option('--cpus <number>', 'processors that it may keep busy, such as 0.5', readNumber('cpus'))
    .option('--cpu-seconds <number>', 'CPU time of each of its processes', readNumber('cpuSeconds'))
    .option('--file-bytes <bytes>', 'size that a file may grow to, such as 100m', readSize('fileBytes'))
    .option('--open-files <number>', 'descriptors that each of its processes may have open', readNumber('openFiles'))
}

/** `undefined` where none is asked for. */
export function limitsOf(options: LimitOptions): SubprocessLimits | undefined {
  const { memory, pids, cpus, cpuSeconds, fileBytes, openFiles } = options
  const limits: SubprocessLimits = { memoryBytes: memory, pids, cpus, cpuSeconds, fileBytes, openFiles }
  return Object.values(limits).some((limit) => limit !== undefined) ? limits : undefined
}
