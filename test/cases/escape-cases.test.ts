// Cases about ways out of the sandbox. Each of them is harmless even where it gets out: it writes into files made for it,
// and settings of the machine to what they are.

import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { vi } from 'vitest'
import { caseOnBackends, type Scene } from './on-backends.js'
import { type Observation, performCase } from './perform-case.js'

vi.setConfig({ testTimeout: 120_000 })

/** The command knows the two places by the names that the case has for them. */
async function performThere({ entry, subprocess, sandbox, workspace, outside }: Scene): Promise<Observation> {
  const command = `export WS=${workspace} OUTSIDE=${outside}\n${entry.command}`
  const [seen] = await performCase({ ...entry, command }, subprocess, 0, sandbox)
  return seen as Observation
}

const isRoot = (): true | string => process.getuid?.() === 0 || 'not root'

caseOnBackends('B79', {
  backends: ['native'],
  note: 'or rather one that this system does not have',
  setUp: () => ({ backends: ['seatbelt'] }),
  perform: performThere
})

caseOnBackends('B80', { needs: ['root', isRoot], perform: performThere })

caseOnBackends('B82', {
  setUp({ workspace, outside }) {
    symlinkSync(join(outside, 'f'), join(workspace, 'sl'))
    return undefined
  },
  perform: performThere
})

caseOnBackends('B83', { perform: performThere })

caseOnBackends('L03', {
  needs: ['root', isRoot],
  setUp({ outside }) {
    writeFileSync(join(outside, 'g'), 'as it was')
    return undefined
  },
  perform: performThere
})

caseOnBackends('L04', { perform: performThere })
