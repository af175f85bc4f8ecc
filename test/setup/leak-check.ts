// Runs around every test file: open descriptors, child processes, folders in the temp folder and cgroup folders are the same after it as
// before. A new kind of thing that can leak gets a probe of its own in `probes`.

import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect } from 'vitest'
import { cgroupFacts } from '../../src/cli/doctor/cgroup-facts.js'

interface Probe {
  readonly name: string
  /** Everything of this kind that exists now, each by a name that no other ever has. */
  list(): string[]
}

function descriptors(): string[] {
  return fs.readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = fs.readlinkSync(`/proc/self/fd/${fd}`)
      // The descriptor that listed the folder has gone by now; so may others have.
      return target.startsWith('/proc/') ? [] : [`${fd} ${target}`]
    } catch {
      return []
    }
  })
}

function children(): string[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      return Number(parent) === process.pid ? [`${name} ${state}`] : []
    } catch {
      return []
    }
  })
}

/** Of this process only: several may share the temp folder. */
function tempEntries(): string[] {
  const mine = new RegExp(`^quiesce-(?:pipes-)?${process.pid}-`)
  return fs
    .readdirSync(tmpdir())
    .filter((name) => mine.test(name))
    .map((name) => join(tmpdir(), name))
}

/** Folders for commands below this process's own cgroup v2 folder, made by this process. */
function cgroupFolders(): string[] {
  const { folder } = cgroupFacts()
  if (folder === null) return []
  return fs.readdirSync(folder).filter((name) => name.startsWith(`quiesce-${process.pid}-`))
}

const probes: readonly Probe[] = [
  { name: 'descriptors', list: descriptors },
  { name: 'child processes', list: children },
  { name: 'temporary entries', list: tempEntries },
  { name: 'cgroup folders', list: cgroupFolders }
]

function added(before: ReadonlyMap<string, Set<string>>): Record<string, string[]> {
  return Object.fromEntries(
    probes.map(({ name, list }) => [name, list().filter((entry) => !before.get(name)?.has(entry))] as const)
  )
}

function isClean(found: Record<string, string[]>): boolean {
  return Object.values(found).every((entries) => entries.length === 0)
}

if (process.platform === 'linux') {
  const before = new Map<string, Set<string>>()

  beforeAll(async () => {
    // What the first child of a process makes libuv open stays open for good and is nobody's leak.
    const { spawn } = await import('node:child_process')
    await new Promise((resolve) => spawn('true').on('close', resolve))
    for (const { name, list } of probes) before.set(name, new Set(list()))
  })

  afterAll(async () => {
    // Closing a stream takes a turn or two of the loop; a leak is what stays.
    const deadline = Date.now() + 3000
    while (!isClean(added(before)) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(added(before)).toEqual(Object.fromEntries(probes.map(({ name }) => [name, []])))
  })
}
