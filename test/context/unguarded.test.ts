import { afterEach, expect, vi } from 'vitest'
import type { Warning } from '../../src/context/warnings.js'
import { testOn } from '../fixtures/shell/providers.js'

const test = testOn({ provider: 'native' })

afterEach(() => {
  vi.doUnmock('../../src/native/runner-path.js')
  vi.resetModules()
})

async function warningsOf(runner: string | null): Promise<Warning[]> {
  vi.resetModules()
  vi.doMock('../../src/native/runner-path.js', () => ({ runnerPath: () => runner }))
  const { createContext } = await import('../../src/context/create-context.js')
  const warnings: Warning[] = []
  for (const onHostCrash of ['leave', 'end', 'end'] as const) {
    const subprocess = { provider: 'native', onHostCrash } as const
    const context = await createContext({ subprocess, onWarning: (warning) => warnings.push(warning) })
    const { stdout } = await context.shell.run({ command: 'echo works' })
    expect(stdout.text).toBe('works\n')
    if (onHostCrash === 'end' && context.subprocess.range.kind === 'cgroup')
      await vi.waitUntil(() => warnings.length > 0)
    await context.dispose()
  }
  return warnings.filter(({ code }) => code !== 'QUIESCE_WEAK_RANGE')
}

const reasons = [
  [null, 'the program quiesce-runner is missing'],
  ['/no/such', 'no such file or directory (ENOENT, spawn "/no/such")'],
  ['/bin/false', '/bin/false ended by itself']
] as const

test('a guardian that cannot be had is warned of once in a process, with the reason, and commands run', async () => {
  for (const [runner, reason] of reasons) {
    const warnings = await warningsOf(runner)
    const message = `commands would outlive this process if it were killed, since their guardian cannot be started (${reason})`
    expect(warnings).toEqual([{ code: 'QUIESCE_UNGUARDED', message }])
  }
})
