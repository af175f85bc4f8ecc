// A harness of the DeepSeek packages that runs commands for a while. Gets its order as JSON, prints its sample as JSON.

import { type DshWay, openDsh } from './measure/dsh.js'
import { measureThroughput, type ThroughputOrder } from './measure/throughput.js'

export interface DshOrder extends ThroughputOrder {
  readonly way: DshWay
}

const order = JSON.parse(process.argv[2] ?? '') as DshOrder
const { command, dispose } = await openDsh(order.way)
const sample = await measureThroughput(order, { command })
await dispose()
console.log(JSON.stringify(sample))
