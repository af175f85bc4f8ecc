// Attacks in each confined mode, by each backend, as root and as an ordinary user: nothing outside changes and the host
// lives, but for what the table of limits says, and that does get through.

import { describe, expect, vi } from 'vitest'
import { feature } from '../../setup/features.js'
import { attacksFor } from './attack-list.js'
import { notStopped } from './limits.js'
import { runArenas } from './run-arena.js'
import { arenas, surroundings } from './surroundings.js'
import { through } from './through.js'
import { all, confinedModes, confiningBackends, users } from './usable-backends.js'

vi.setConfig({ testTimeout: 300_000 })

describe.each(confiningBackends)('%s', (backend, usable) => {
  const test = feature(`arenas for ${backend}`, all(arenas, usable))
  for (const [user, uid] of Object.entries(users)) {
    for (const mode of confinedModes) {
      test(`stops all attacks but those of the table, as ${user} in ${mode}`, async () => {
        const around = surroundings()
        const confinement = { backend, mode, uid }
        const attacks = attacksFor(confinement, { cage: around.cage !== null })
        const names = attacks.map(({ name }) => name)
        const reports = await runArenas(confinement, names, around)
        const limits = notStopped(confinement)
        expect(reports.map(({ name }) => name)).toEqual(names)
        expect(through(attacks, reports)).toEqual(names.filter((name) => limits.has(name)))
      })
    }
  }
})
