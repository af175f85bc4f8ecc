// The control group outside: made by whoever starts the arena, owned by the attacker, with one victim in it.

import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const settings = ['cgroup.freeze', 'cgroup.max.depth']

const groupsBelow = (folder: string): string[] =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => name)

/** As it was when the arena began. */
export function restoreCage(folder: string, uid: number): void {
  writeFileSync(join(folder, 'cgroup.freeze'), '0')
  writeFileSync(join(folder, 'cgroup.max.depth'), 'max')
  for (const name of groupsBelow(folder)) if (name !== 'empty') rmdirSync(join(folder, name))
  if (!existsSync(join(folder, 'empty'))) mkdirSync(join(folder, 'empty'))
  for (const group of [folder, join(folder, 'empty')]) {
    chownSync(group, uid, uid)
    for (const name of readdirSync(group)) chownSync(join(group, name), uid, uid)
  }
}

export const cageSnapshot = (folder: string): Record<string, string> => ({
  'groups in the cage': groupsBelow(folder).sort().join(),
  ...Object.fromEntries(settings.map((name) => [name, readFileSync(join(folder, name), 'latin1').trim()])),
  'processes in the cage': readFileSync(join(folder, 'cgroup.procs'), 'latin1').trim()
})

export const isFrozen = (folder: string): boolean =>
  readFileSync(join(folder, 'cgroup.freeze'), 'latin1').trim() === '1'
