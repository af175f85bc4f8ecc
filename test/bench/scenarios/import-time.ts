// What it costs to import each of them, in a fresh process of Node.

import { join } from 'node:path'
import { buildFolder } from '../places.js'
import { outputOf } from '../processes.js'
import type { Roster } from '../roster.js'
import type { Contestant, Scenario } from '../rounds.js'

function timed(title: string, module: string): Contestant {
  const program = join(buildFolder, 'import-time.mjs')
  return {
    title,
    waitsFor: '-',
    sample: async () => ({ value: Number(await outputOf(process.execPath, [program, module])) })
  }
}

export function importTime(roster: Roster): Scenario {
  const modules = roster.contenders.flatMap(({ title, module }) => (module === null ? [] : timed(title, module)))
  return {
    name: 'import',
    title: 'time to import, in a fresh process',
    unit: 'ms',
    better: 'less',
    contestants: [timed('an empty module', join(buildFolder, 'empty.mjs')), ...modules]
  }
}
