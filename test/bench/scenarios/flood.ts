// How fast output is collected of which the last 64,000 bytes are kept: through one stream, and through several at once.

import { type FloodSample, floodArgv } from '../measure/flood.js'
import { nativeProgram } from '../native-programs.js'
import { outputOf } from '../processes.js'
import { able, type Roster } from '../roster.js'
import type { Contestant, Scenario } from '../rounds.js'
import { lagColumns } from './columns.js'

async function read(bytes: number): Promise<void> {
  const total = Number.parseInt(await outputOf(nativeProgram('reader'), ['-', ...floodArgv(bytes)]), 10)
  if (total !== bytes) throw new Error(`the C reader read ${total} bytes of ${bytes}`)
}

function reader(bytes: number, streamCount: number): Contestant {
  return {
    title: 'plain C',
    waitsFor: streamCount === 1 ? 'child and its pipe' : `the same, ${streamCount} processes`,
    sample: async () => {
      const begin = performance.now()
      await Promise.all(Array.from({ length: streamCount }, () => read(bytes)))
      return { value: (bytes * streamCount) / (performance.now() - begin) / 1000 }
    }
  }
}

export function flood(roster: Roster, bytes: number, streamCount: number): Scenario {
  const others = able(roster, 'flood').map((contender) => ({
    title: contender.title,
    waitsFor: contender.waitsFor,
    sample: async () => {
      const sample = await contender.sample<FloodSample>({ kind: 'flood', bytes, streamCount })
      const extra = { ...lagColumns(sample.lag), 'growth MiB': sample.growthBytes / 2 ** 20 }
      return { value: sample.bytesPerSecond / 1e6, extra }
    }
  }))
  const through = streamCount === 1 ? 'through one stream' : `through each of ${streamCount} streams at once`
  return {
    name: `flood-${streamCount}`,
    title: `flood: head -c ${bytes} /dev/zero ${through}, 64,000 bytes of each kept`,
    unit: 'MB/s',
    better: 'more',
    contestants: [...(roster.limit ? [reader(bytes, streamCount)] : []), ...others]
  }
}
