// Attacks in each confined mode, by each backend, as root and as an ordinary user: nothing outside changes and the host
// lives, but for what the table of limits says, and that does get through.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, vi } from 'vitest'
import { type FeatureProbe, feature } from '../../setup/features.js'
import { root } from '../../setup/source-imports.js'
import { attacksFor } from './attack-list.js'
import { type BackendName, bubblewrap, type ConfinedMode } from './backends.js'
import { notStopped } from './limits.js'
import { runArenas } from './run-arena.js'
import { arenas, surroundings } from './surroundings.js'
import { through } from './through.js'

vi.setConfig({ testTimeout: 300_000 })

const runner = join(root, 'build/Release/quiesce-runner')
const built: FeatureProbe = () => existsSync(runner) || 'not built'

const backends: readonly [BackendName, FeatureProbe][] = [
  ['native', built],
  ['bwrap', bubblewrap],
  ['landlock', built]
]
const modes: readonly ConfinedMode[] = ['read-only', 'workspace-write']
const users = { root: 0, 'an ordinary user': 4242 } as const

describe.each(backends)('%s', (backend, usable) => {
  const test = feature(`arenas for ${backend}`, () => {
    const reason = arenas()
    return reason === true ? usable() : reason
  })
  for (const [user, uid] of Object.entries(users)) {
    for (const mode of modes) {
      test(`stops all attacks but those of the table, as ${user} in ${mode}`, async () => {
        const around = surroundings()
        const confinement = { backend, mode, uid }
        const attacks = attacksFor(confinement, { cage: around.cage !== null })
        const names = attacks.map(({ name }) => name)
        const reports = await runArenas(confinement, names, around, runner)
        const limits = notStopped(confinement)
        expect(reports.map(({ name }) => name)).toEqual(names)
        expect(through(attacks, reports)).toEqual(names.filter((name) => limits.has(name)))
      })
    }
  }
})
