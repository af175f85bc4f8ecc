// A host that runs nothing itself, beside the C limit: the delays that its event loop shows are those of the machine.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ballast } from '../measure/ballast.js'
import { type Lag, withLag } from '../measure/event-loop.js'
import { residentBytes } from '../measure/host-state.js'

export interface IdleOrder {
  readonly program: string
  readonly args: readonly string[]
  readonly heapBytes: number
}

export interface IdleSample {
  /** What the program printed. */
  readonly output: string
  readonly lag: Lag
  readonly residentBytes: number
}

const { program, args, heapBytes }: IdleOrder = JSON.parse(process.argv[2] ?? '')
const held = ballast(heapBytes)
const { value, lag } = await withLag(() => promisify(execFile)(program, [...args]))
if (held.length * 64 * 1024 < heapBytes) throw new Error('the ballast was not held')
const sample: IdleSample = { output: value.stdout, lag, residentBytes: residentBytes() }
console.log(JSON.stringify(sample))
