// How fast a stream is kept whole in a file beside its last 64,000 bytes in memory.

import { join } from 'node:path'
import { floodArgv } from '../measure/flood.js'
import type { SpillSample } from '../measure/spill.js'
import { nativeProgram } from '../native-programs.js'
import { outputOf, withFolder } from '../processes.js'
import { able, type Roster } from '../roster.js'
import type { Contestant, Scenario } from '../rounds.js'
import { lagColumns } from './columns.js'

function reader(bytes: number): Contestant {
  return {
    title: 'plain C',
    waitsFor: 'child and its pipe',
    sample: () =>
      withFolder(async (folder) => {
        const args = [join(folder, 'stream'), ...floodArgv(bytes)]
        const [total = 0, seconds = 0] = (await outputOf(nativeProgram('reader'), args)).split(' ').map(Number)
        if (total !== bytes) throw new Error(`the C reader read ${total} bytes of ${bytes}`)
        return { value: bytes / seconds / 1e6 }
      })
  }
}

export function spill(roster: Roster, bytes: number): Scenario {
  const others = able(roster, 'spill').map((contender) => ({
    title: contender.title,
    waitsFor: contender.waitsFor,
    sample: async () => {
      const { bytesPerSecond, lag } = await contender.sample<SpillSample>({ kind: 'spill', bytes })
      return { value: bytesPerSecond / 1e6, extra: lagColumns(lag) }
    }
  }))
  return {
    name: 'spill',
    title: `spill: head -c ${bytes} /dev/zero, all of it into a file`,
    unit: 'MB/s',
    better: 'more',
    contestants: [...(roster.limit ? [reader(bytes)] : []), ...others]
  }
}
