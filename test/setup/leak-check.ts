// Runs around every test file: open descriptors, child processes, folders in the temp folder and cgroup folders are the
// same after it as before.

import { afterAll, beforeAll, expect } from 'vitest'
import { added, cgroupFolders, childProcesses, descriptors, type Probe, temporaryEntries } from './probes.js'

const probes: Readonly<Record<string, Probe>> = { descriptors, childProcesses, temporaryEntries, cgroupFolders }
const nothing: Record<string, string[]> = Object.fromEntries(Object.keys(probes).map((name) => [name, []]))

const list = (): Record<string, string[]> =>
  Object.fromEntries(Object.entries(probes).map(([name, probe]) => [name, probe()]))

function newSince(before: Record<string, string[]>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(list()).map(([name, now]) => [name, added(before[name] ?? [], now)]))
}

const isClean = (found: Record<string, string[]>): boolean => Object.values(found).every(({ length }) => length === 0)

if (process.platform === 'linux') {
  let before = nothing

  beforeAll(async () => {
    // What the first child of a process makes libuv open stays open for good and is nobody's leak.
    const { spawn } = await import('node:child_process')
    await new Promise((resolve) => spawn('true').on('close', resolve))
    before = list()
  })

  afterAll(async () => {
    // Closing a stream takes a turn or two of the loop; a leak is what stays.
    const deadline = Date.now() + 3000
    while (!isClean(newSince(before)) && Date.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20))
    expect(newSince(before)).toEqual(nothing)
  })
}
