// From KILL to the knowledge that a whole tree of processes is gone.

import type { KillSample } from '../measure/kill.js'
import { nativeProgram } from '../native-programs.js'
import { able, type Roster } from '../roster.js'
import type { Scenario } from '../rounds.js'

export function kill(roster: Roster, processCount: number, graceMs: number): Scenario {
  const contestants = able(roster, 'tree').map((contender) => ({
    title: contender.title,
    waitsFor: contender.waitsFor,
    sample: async () => {
      const argv = [nativeProgram('tree'), String(processCount)]
      const { afterKillMs, afterTermMs } = await contender.sample<KillSample>({ kind: 'kill', argv, graceMs })
      return { value: afterKillMs, extra: { 'obeying TERM, ms': afterTermMs } }
    }
  }))
  return {
    name: `kill-${processCount}`,
    title: `a tree of ${processCount} processes that ignore TERM: from KILL (${graceMs} ms after TERM) until all are known to be gone`,
    unit: 'ms',
    better: 'less',
    contestants
  }
}
