// The attacks that the program knows, by its own list, and which of them can be made by whom and where.

import { execFileSync } from 'node:child_process'
import type { Confinement } from './backends.js'
import { attackProgram } from './programs.js'

/** As attack.h has them. */
const limit = { rootOnly: 1, userOnly: 2, readOnlyMode: 4, hiding: 8, writableMode: 16 } as const
const signs = ['change', 'secret', 'word'] as const

export interface Attack {
  readonly name: string
  readonly limits: number
  /** How it shows that the attack got through. */
  readonly sign: (typeof signs)[number]
  readonly what: string
}

let list: readonly Attack[] | null = null

export function allAttacks(): readonly Attack[] {
  list ??= execFileSync(attackProgram(), ['--list'], { encoding: 'utf8' })
    .trimEnd()
    .split('\n')
    .map((line) => {
      const [name = '', limits, sign, what = ''] = line.split('\t')
      return { name, limits: Number(limits), sign: signs[Number(sign)] ?? 'change', what }
    })
  return list
}

/** In workspace-write a command may do what these attacks do. */
export const isForReadOnly = (attack: Attack): boolean => has(attack, 'readOnlyMode')

const has = (attack: Attack, name: keyof typeof limit): boolean => (attack.limits & limit[name]) !== 0

/** Cgroup attacks need a group that was made for them. */
export interface Means {
  readonly cage: boolean
}

export function attacksFor({ backend, mode, uid }: Confinement, { cage }: Means): readonly Attack[] {
  return allAttacks().filter((attack) => {
    if (has(attack, 'rootOnly') && uid !== 0) return false
    if (has(attack, 'userOnly') && uid === 0) return false
    if (has(attack, 'readOnlyMode') && mode !== 'read-only') return false
    if (has(attack, 'writableMode') && mode !== 'workspace-write') return false
    // Landlock cannot hide what lies below a readable root: that backend refuses a policy with hidden paths.
    if (has(attack, 'hiding') && backend === 'landlock') return false
    return cage || !(attack.name.startsWith('cgroup-') || attack.name === 'fresh-cgroup')
  })
}
