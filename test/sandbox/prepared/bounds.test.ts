// What prepared confinements cost a host: a bounded number of descriptors, given back with the runtime, and one preparation
// for each policy.

import { mkdirSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect } from 'vitest'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import { finished, until } from '../../subprocess/behaviour/observe.js'
import { confined, makeFolder, test } from './confined.js'

const mostPolicies = 8

let runtime: NativeSubprocessRuntime
let folder: string

beforeEach(() => {
  runtime = new NativeSubprocessRuntime({ onWarning: () => {} })
  folder = makeFolder('bounds')
})

afterEach(async () => {
  await runtime.dispose()
  rmSync(folder, { recursive: true })
})

const namespaces = (): string[] =>
  readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      const target = readlinkSync(`/proc/self/fd/${fd}`)
      return target.startsWith('mnt:[') ? [target] : []
    } catch {
      return []
    }
  })

function policy(index: number): string[] {
  const workspace = join(folder, String(index))
  mkdirSync(workspace, { recursive: true })
  return ['--rw', workspace]
}

const namespaceOf = async (index: number): Promise<string> => {
  const { stdout } = await finished(runtime.spawn(confined('readlink /proc/self/ns/mnt', policy(index))))
  return stdout.trim()
}

describe('policies', () => {
  test('are prepared at their first command, and once for all commands that come together', async () => {
    expect(namespaces()).toEqual([])
    const seen = await Promise.all(Array.from({ length: 20 }, () => namespaceOf(0)))
    expect(new Set(seen).size).toBe(1)
    expect(namespaces()).toEqual([seen[0]])
  })

  test('are kept up to a bound, the least recently used given up first', async () => {
    const first = await namespaceOf(0)
    const second = await namespaceOf(1)
    for (let index = 2; index < mostPolicies; index += 1) await namespaceOf(index)
    expect(await namespaceOf(0)).toBe(first)
    const last = await namespaceOf(mostPolicies)
    await until(() => namespaces().length === mostPolicies)
    expect(namespaces()).toContain(first)
    expect(namespaces()).toContain(last)
    expect(namespaces()).not.toContain(second)
  })

  test('are closed with the last runtime', async () => {
    await namespaceOf(0)
    await runtime.dispose()
    expect(namespaces()).toEqual([])
  })

  test('cost no more descriptors however many commands there are', async () => {
    // A cgroup is kept for the next command, with descriptors of its own.
    const inGroups = new NativeSubprocessRuntime({ ranges: ['group'] })
    await finished(inGroups.spawn(confined(':', policy(0))))
    const before = readdirSync('/proc/self/fd').length
    for (let round = 0; round < 10; round += 1) {
      await Promise.all(Array.from({ length: 5 }, () => finished(inGroups.spawn(confined(':', policy(0))))))
    }
    await until(() => readdirSync('/proc/self/fd').length <= before)
    await inGroups.dispose()
  })
})
