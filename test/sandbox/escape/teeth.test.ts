// Every attack works: let loose, with nothing around it but disposable namespaces, it gets through. One that must win a
// race may lose it, so it has a few tries.

import { expect, vi } from 'vitest'
import { feature } from '../../setup/features.js'
import { type Attack, allAttacks, attacksFor, isForReadOnly } from './attack-list.js'
import type { ConfinedMode } from './backends.js'
import { runArenas } from './run-arena.js'
import { arenas, surroundings } from './surroundings.js'
import { through } from './through.js'

vi.setConfig({ testTimeout: 300_000 })

const mostTries = 4

const test = feature('arenas', arenas)

test('there are at least 60 attacks, each with a name of its own', () => {
  const names = allAttacks().map(({ name }) => name)
  expect(new Set(names).size).toBe(names.length)
  expect(names.length).toBeGreaterThanOrEqual(60)
})

/** A change of the workspace shows nothing but for attacks on the workspace itself. */
const parts = {
  'workspace-write': (attack: Attack): boolean => !isForReadOnly(attack),
  'read-only': isForReadOnly
} as const satisfies Record<ConfinedMode, (attack: Attack) => boolean>

for (const [user, uid] of [['root', 0] as const, ['an ordinary user', 4242] as const]) {
  for (const mode of ['workspace-write', 'read-only'] as const) {
    test(`each attack gets through where nothing confines it, as ${user}, for ${mode}`, async () => {
      const around = surroundings()
      const confinement = { backend: 'none', mode, uid } as const
      const attacks = attacksFor(confinement, { cage: around.cage !== null }).filter(parts[mode])
      let failed = attacks.map(({ name }) => ({ name, said: 'not tried' }))
      for (let attempt = 0; attempt < mostTries && failed.length > 0; attempt++) {
        const names = failed.map(({ name }) => name)
        const reports = await runArenas(confinement, names, around)
        const reached = new Set(
          through(
            attacks.filter(({ name }) => names.includes(name)),
            reports
          )
        )
        failed = reports.filter(({ name }) => !reached.has(name))
      }
      expect(failed.map(({ name, said }) => `${name}: ${said}`)).toEqual([])
    })
  }
}
