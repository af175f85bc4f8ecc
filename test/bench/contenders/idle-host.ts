// A host that runs nothing itself, beside the C limit: the delays that its event loop shows are those of the machine.

import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { ballast } from '../measure/ballast.js'
import { withLag } from '../measure/event-loop.js'
import type { ThroughputOrder, ThroughputSample } from '../measure/throughput.js'

interface IdleOrder extends ThroughputOrder {
  readonly program: string
  readonly args: readonly string[]
}

const { program, args, heapBytes }: IdleOrder = JSON.parse(process.argv[2] ?? '')
const held = ballast(heapBytes)
const { value, lag } = await withLag(() => promisify(execFile)(program, [...args]))
if (held.length * 64 * 1024 < heapBytes) throw new Error('the ballast was not held')
const sample: ThroughputSample = { perSecond: Number(value.stdout), lag, residentBytes: process.memoryUsage.rss() }
console.log(JSON.stringify(sample))
