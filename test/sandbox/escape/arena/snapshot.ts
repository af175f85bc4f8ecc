// Everything outside that an attack could change, as texts by name; two snapshots are compared.

import { lstatSync, readdirSync, readFileSync, readlinkSync, readSync } from 'node:fs'
import { networkInterfaces } from 'node:os'
import { join, relative } from 'node:path'
import { place } from './place.js'
import { pathsBelow } from './walk.js'

export type Snapshot = Readonly<Record<string, string>>

function describe(path: string): string {
  const facts = lstatSync(path, { bigint: true })
  const { mode, uid, gid, ino, nlink, size, mtimeNs, ctimeNs } = facts
  const content = facts.isSymbolicLink() ? readlinkSync(path) : ''
  const text = facts.isFile() && size < 4096n ? readFileSync(path, 'latin1') : ''
  return [mode.toString(8), uid, gid, ino, nlink, size, mtimeNs, ctimeNs, content, JSON.stringify(text)].join(' ')
}

/** The folder itself and all that is in it. */
const tree = (folder: string): Record<string, string> =>
  Object.fromEntries([folder, ...pathsBelow(folder).sort()].map((path) => [path, describe(path)]))

/** What a command may never change in a workspace that it may write to: what the policy hides; and what it may not leave. */
function workspaceOfOthers(): Record<string, string> {
  const kept = /^(?:hidden|\.hidden)(?:\/|$)/
  return Object.fromEntries(
    pathsBelow(place.workspace).flatMap((path) => {
      const { mode, ino } = lstatSync(path)
      const isSetId = (mode & 0o6000) !== 0
      return kept.test(relative(place.workspace, path)) || isSetId ? [[path, `${mode.toString(8)} ${ino}`]] : []
    })
  )
}

const devices = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync('/dev').map((name) => {
      const { mode, uid, gid, ino, rdev } = lstatSync(join('/dev', name))
      return [join('/dev', name), [mode.toString(8), uid, gid, ino, rdev].join(' ')]
    })
  )

const settings = ['kernel/domainname', 'kernel/hostname', 'net/ipv4/ip_forward', 'kernel/core_pattern', 'vm/swappiness']

/** Changed by nothing but attacks on them, and then the arena is used up. */
export function lastingSnapshot(): Snapshot {
  const values = settings.map((name) => [name, readFileSync(`/proc/sys/${name}`, 'latin1')])
  return {
    ...Object.fromEntries(values),
    loopback: `${networkInterfaces().lo !== undefined}`,
    mounts: readFileSync('/proc/self/mountinfo', 'latin1'),
    ...tree(place.source),
    ...devices()
  }
}

export function filesSnapshot(mode: string, disk: number): Snapshot {
  const start = Buffer.alloc(4096)
  readSync(disk, start, 0, start.length, 0)
  return {
    ...tree(place.out),
    ...(mode === 'read-only' ? { ...tree(place.workspace), ...tree(place.temp) } : workspaceOfOthers()),
    'shared memory': readdirSync('/dev/shm').join(),
    disk: start.toString('latin1').replace(/\0+$/, '')
  }
}

/** What differs, each as one line. */
export function differences(before: Snapshot, after: Snapshot): string[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const shown = (text: string | undefined): string => (text === undefined ? 'nothing' : text.slice(0, 300))
  return names
    .filter((name) => before[name] !== after[name])
    .map((name) => `${name}: ${shown(before[name])} -> ${shown(after[name])}`)
}
