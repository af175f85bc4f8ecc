// What a process may leave behind, each kind as a list of names. A test compares such lists before and after; a new kind
// of thing that can leak gets a probe of its own here.

import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cgroupFacts } from '../../src/cli/doctor/cgroup-facts.js'

/** Everything of one kind that exists now, each by a name that tells it from all others of that time. */
export type Probe = () => string[]

export const descriptors: Probe = () =>
  fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = fs.readlinkSync(`/proc/self/fd/${fd}`)
      // The descriptor that listed the folder has gone by now; so may others have.
      // And the nameless copy of the runner is kept on purpose, for as long as the process lives.
      return target.startsWith('/proc/') || target.endsWith('/quiesce-runner (deleted)') ? [] : [`${fd} ${target}`]
    } catch {
      return []
    }
  })

export const childProcesses: Probe = () =>
  fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(parent) === process.pid ? [`${name} ${state}`] : []
    } catch {
      return []
    }
  })

export const threads: Probe = () =>
  fs.readdirSync('/proc/self/task').flatMap((id) => {
    try {
      return [`${id} ${fs.readFileSync(`/proc/self/task/${id}/comm`, 'latin1').trim()}`]
    } catch {
      return []
    }
  })

/** Of this process only: several may share the temp folder. */
export const temporaryEntries: Probe = () => {
  const mine = new RegExp(`^quiesce-(?:pipes-)?${process.pid}-`)
  return fs
    .readdirSync(tmpdir())
    .filter((name) => mine.test(name))
    .map((name) => join(tmpdir(), name))
}

/** Folders for commands below this process's own cgroup v2 folder, made by this process. */
export const cgroupFolders: Probe = () => {
  const { folder } = cgroupFacts()
  if (folder === null) return []
  return fs.readdirSync(folder).filter((name) => name.startsWith(`quiesce-${process.pid}-`))
}

/** The names that `after` has and `before` has not. */
export function added(before: readonly string[], after: readonly string[]): string[] {
  const known = new Set(before)
  return after.filter((name) => !known.has(name))
}
