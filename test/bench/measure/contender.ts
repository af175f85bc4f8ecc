// A contender is a program of its own: it gets an order as JSON in its first argument and prints its sample as JSON.

import { type FloodOrder, type FloodSample, measureFlood } from './flood.js'
import { measureThroughput, type ThroughputOrder, type ThroughputSample } from './throughput.js'

export type Order = ({ readonly kind: 'throughput' } & ThroughputOrder) | ({ readonly kind: 'flood' } & FloodOrder)

export interface Contender {
  /** Runs `bash -c :` with both streams captured, until everything of it is gone. */
  command(): Promise<void>
  /** Collects the last 64,000 bytes of the flood's standard output; gives the number of bytes that passed. */
  flood(bytes: number): Promise<number>
  /** What is worth knowing beside the figures, such as the range that commands run in. */
  note?(): string
  dispose?(): Promise<void>
}

function measure(contender: Contender, order: Order): Promise<ThroughputSample | FloodSample> {
  if (order.kind === 'throughput') return measureThroughput(order, () => contender.command())
  return measureFlood(order, () => contender.flood(order.bytes))
}

export async function runContender(contender: Contender): Promise<void> {
  const order: Order = JSON.parse(process.argv[2] ?? '')
  const sample = await measure(contender, order)
  const note = contender.note?.()
  await contender.dispose?.()
  console.log(JSON.stringify(note === undefined ? sample : { ...sample, note }))
}
