// As the flood, with the whole stream kept in a file.

import { statSync } from 'node:fs'
import type { Contender } from './contender.js'
import { type Lag, withLag } from './event-loop.js'
import { floodArgv } from './flood.js'
import { wakeUp } from './lanes.js'

export interface SpillOrder {
  readonly bytes: number
}

export interface SpillSample {
  readonly bytesPerSecond: number
  readonly lag: Lag
}

export async function measureSpill({ bytes }: SpillOrder, contender: Contender): Promise<SpillSample> {
  if (!contender.spill) throw new Error('keeps no stream in a file')
  const spill = contender.spill.bind(contender)
  await wakeUp(contender)
  const begin = performance.now()
  const { value: path, lag } = await withLag(() => spill(floodArgv(bytes), bytes))
  const seconds = (performance.now() - begin) / 1000
  const { size } = statSync(path)
  if (size !== bytes) throw new Error(`${size} bytes of ${bytes} are in the file`)
  return { bytesPerSecond: bytes / seconds, lag }
}
