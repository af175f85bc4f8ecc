import { afterEach, expect, vi } from 'vitest'
import type { Warning } from '../../src/context/warnings.js'
import { testOn } from '../fixtures/shell/providers.js'

const test = testOn({ provider: 'native' })

afterEach(() => {
  vi.doUnmock('../../src/native/load.js')
  vi.resetModules()
})

test('a native core without a cgroup folder warns once in a process that its ranges are weaker, and why', async () => {
  vi.resetModules()
  vi.doMock('../../src/native/load.js', async (original) => {
    const { loadAddon } = await original<typeof import('../../src/native/load.js')>()
    const probeCgroup = () => ({ folder: null, failure: { errno: 2, syscall: 'open', path: '/' } })
    return { loadAddon: () => ({ ...loadAddon(), binding: { ...loadAddon().binding, probeCgroup } }) }
  })
  const { createContext } = await import('../../src/context/create-context.js')
  const warnings: Warning[] = []
  const onWarning = (warning: Warning): number => warnings.push(warning)
  for (const _ of [1, 2]) {
    const context = await createContext({ subprocess: { provider: 'native' }, onWarning })
    expect(context.subprocess.range.kind).toBe('group')
    await context.dispose()
  }
  expect(warnings).toEqual([
    {
      code: 'QUIESCE_WEAK_RANGE',
      message: expect.stringMatching(/process groups only: .*no cgroup range: no cgroup v2 file system is mounted/)
    }
  ])
})
