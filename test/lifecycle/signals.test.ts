import { existsSync, readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { cgroupFacts } from '../../src/cli/doctor/cgroup-facts.js'
import { feature } from '../setup/features.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'
import type { HostProvider } from './host.js'
import { cCompiler, loading } from './host-libraries.js'
import { describeEachHost } from './host-providers.js'
import { clean, nothing, runTraced } from './traced.js'

const ready = (signal: NodeJS.Signals) => ({
  onStdout: (text: string, child: { kill(signal: NodeJS.Signals): boolean }) => {
    if (text.endsWith('ready\n')) child.kill(signal)
  }
})

const three = 'const commands = await Promise.all([sleeper(ctx), stubborn(ctx), spilling(ctx)])'

/** Exit codes, signals, output and ends by abort, as they are on a host that nobody has done anything to. */
const ordinary = `
  const ctx = await createContext(options)
  for (const command of ['echo out; exit 7', 'kill -HUP $$', 'true']) {
    const { exitCode, signal, stdout, quiescent } = await ctx.shell.run({ command })
    console.log(exitCode, signal, JSON.stringify(stdout.text), quiescent)
  }
  const execution = await stubborn(ctx)
  execution.kill()
  const { exitCode, signal, aborted } = await execution.result()
  console.log(exitCode, signal, aborted, await execution.waitForExit())
  await ctx.dispose()`

const ordinaryEnd = clean('7 null "out\\n" true\nnull SIGHUP "" true\n0 null "" true\nnull SIGKILL true true\n')

/** What a host leaves that a signal ended. */
function sweep(marker: string): void {
  for (const pid of running(marker)) process.kill(pid, 'SIGKILL')
}

async function removeCgroups(names: readonly string[]): Promise<void> {
  const { folder } = cgroupFacts()
  if (folder === null) return
  const remove = (path: string): boolean => {
    try {
      for (const entry of readdirSync(path, { withFileTypes: true })) {
        if (entry.isDirectory()) remove(join(path, entry.name))
      }
      rmdirSync(path)
    } catch {
      // Busy for a moment after its last process has gone.
    }
    return !existsSync(path)
  }
  for (const name of names) await until(() => remove(join(folder, name)))
}

describeEachHost((provider: HostProvider) => {
  /** A guardian outlives the host. */
  const guarded = provider === 'native'

  describe('a host that gets a signal', () => {
    it.each([
      ['SIGTERM', 143],
      ['SIGINT', 130]
    ] as const)('%s and has a handler that disposes leaves nothing and exits as it wants', async (signal, code) => {
      const body = `
        const ctx = await createContext(options)
        ${three}
        process.once('${signal}', async () => {
          await ctx.dispose()
          console.log((await Promise.all(commands.map((one) => one.result()))).map(({ aborted }) => aborted).join())
          process.exit(${code})
        })
        console.log('ready')`
      expect(await runTraced(provider, body, ready(signal))).toEqual({
        end: { code, signal: null, stdout: 'ready\ntrue,true,true\n', stderr: '' },
        left: nothing
      })
    })

    it.each(['SIGTERM', 'SIGINT'] as const)(
      '%s and has a handler that exits at once leaves nothing',
      async (signal) => {
        const body = `
        const ctx = await createContext(options)
        ${three}
        process.once('${signal}', () => process.exit(5))
        console.log('ready')`
        expect(await runTraced(provider, body, ready(signal))).toEqual({
          end: { code: 5, signal: null, stdout: 'ready\n', stderr: '' },
          left: nothing
        })
      }
    )

    it(`and has no handler dies of it, and a command ${guarded ? 'with it' : 'lives on'}`, async () => {
      const marker = sleepMarker()
      try {
        const { end, left } = await runTraced(
          provider,
          `await sleeper(await createContext(options)); console.log('ready')`,
          { ...ready('SIGTERM'), marker }
        )
        expect(end).toEqual({ code: null, signal: 'SIGTERM', stdout: 'ready\n', stderr: '' })
        if (guarded) await until(() => running(marker).length === 0)
        else expect(left.processes.length).toBe(1)
        sweep(marker)
        await removeCgroups(left.cgroups)
      } finally {
        sweep(marker)
      }
    })
  })

  describe('a host that was started with SIGCHLD', () => {
    it.each([
      ['ignored', ['sh', '-c', `trap '' CHLD; exec "$@"`, 'sh']],
      [
        'blocked',
        [
          'perl',
          '-MPOSIX',
          '-e',
          'sigprocmask(SIG_BLOCK, POSIX::SigSet->new(SIGCHLD)); exec { $ARGV[0] } @ARGV or die $!',
          '--'
        ]
      ]
    ])('%s sees its commands end as any other', async (_title, launcher) => {
      expect(await runTraced(provider, ordinary, { launcher })).toEqual(ordinaryEnd)
    })
  })

  // Of a child that somebody else reaps child_process never hears.
  if (provider === 'node') return
  describe('a host in which other native code', () => {
    feature('a C compiler', cCompiler)('ignores SIGCHLD sees its commands end as any other', async () => {
      expect(await runTraced(provider, `${loading('ignores-sigchld')}\n${ordinary}`)).toEqual(ordinaryEnd)
    })

    feature('a C compiler', cCompiler)('waits for every child sees its commands end as any other', async () => {
      expect(await runTraced(provider, `${loading('reaps-everything')}\n${ordinary}`)).toEqual(ordinaryEnd)
    })

    feature('a C compiler', cCompiler)(
      'reaps a command first leaves its use of processor and memory unknown',
      async () => {
        const body = `${loading('ignores-sigchld')}
        const ctx = await createContext(options)
        const { wallMs, userMs, systemMs, maxRssBytes } = (await ctx.shell.run({ command: 'true' })).usage
        console.log(wallMs > 0, JSON.stringify({ userMs, systemMs, maxRssBytes }))
        await ctx.dispose()`
        expect(await runTraced(provider, body)).toEqual(
          clean('true {"userMs":null,"systemMs":null,"maxRssBytes":null}\n')
        )
      }
    )
  })
})
