import { afterEach, expect, vi } from 'vitest'
import type { Warning } from '../../src/context/warnings.js'
import { testOn } from '../fixtures/shell/providers.js'

const test = testOn({ provider: 'native' })

afterEach(() => {
  vi.unstubAllEnvs()
  vi.doUnmock('../../src/native/load.js')
  vi.resetModules()
})

const refused = { errno: 1, syscall: 'execveat', path: '' }

/** The warnings of two contexts in a process whose probes fail. */
async function warningsOf(probes: object, kind: string): Promise<Warning[]> {
  vi.resetModules()
  for (const name of ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS']) vi.stubEnv(name, undefined)
  vi.doMock('../../src/native/load.js', async (original) => {
    const { loadAddon, ...others } = await original<typeof import('../../src/native/load.js')>()
    const probeCgroup = () => ({ folder: null, failure: { errno: 2, syscall: 'open', path: '/' } })
    return {
      ...others,
      loadAddon: () => ({ ...loadAddon(), binding: { ...loadAddon().binding, probeCgroup, ...probes } })
    }
  })
  const { createContext } = await import('../../src/context/create-context.js')
  const warnings: Warning[] = []
  const onWarning = (warning: Warning): number => warnings.push(warning)
  for (const _ of [1, 2]) {
    const context = await createContext({ subprocess: { provider: 'native' }, onWarning })
    expect(context.subprocess.range.kind).toBe(kind)
    await context.dispose()
  }
  return warnings
}

test('a native core with process groups only warns once in a process that its ranges are weaker, and why', async () => {
  expect(await warningsOf({ probeSupervisor: () => refused }, 'group')).toEqual([
    {
      code: 'QUIESCE_WEAK_RANGE',
      message: expect.stringMatching(
        /process groups only: .*no cgroup range: no cgroup v2 file system is mounted.*no supervisor range: a trial command/
      )
    }
  ])
})

test('one with supervisors warns once in a process of what can escape them, and why there is nothing stronger', async () => {
  expect(await warningsOf({ probeSupervisor: () => null }, 'supervisor')).toEqual([
    {
      code: 'QUIESCE_WEAK_RANGE',
      message: expect.stringMatching(
        /a supervisor process each: .*can kill its supervisor.*fork bomb.*no cgroup range: no cgroup v2 file system/
      )
    }
  ])
})
