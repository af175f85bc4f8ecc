import * as fs from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import { bash, specOf } from '../specs.js'
import { finished, running, sleepMarker, success, textOf, until, untilOutput } from './observe.js'
import { describeEachProvider } from './providers.js'

describeEachProvider((provider) => {
  let runtime: SubprocessRuntime

  beforeAll(() => {
    runtime = provider.create()
  })

  afterAll(() => runtime.dispose())

  const timed = async <T>(promise: Promise<T>): Promise<{ value: T; tookMs: number }> => {
    const startedAt = performance.now()
    const value = await promise
    return { value, tookMs: performance.now() - startedAt }
  }

  describe('a leftover that holds the output', () => {
    it('and is silent is not waited for', async () => {
      const marker = sleepMarker()
      const handle = runtime.spawn(bash(`sleep ${marker} & echo done`, { graceMs: 20_000 }))
      const { value, tookMs } = await timed(finished(handle))
      expect({ value, facts: handle.facts.quiescent, left: running(marker).length }).toEqual({
        value: { outcome: success, stdout: 'done\n', stderr: '' },
        facts: false,
        left: 1
      })
      expect(tookMs).toBeLessThan(3000)
      handle.terminate()
      await handle.waitForExit()
    })

    // Who is kept from running for 100 ms by other work on the machine counts as silent, so these may take another try.
    it('and goes on writing is waited for no longer than the grace', { retry: 5 }, async () => {
      const handle = runtime.spawn(bash('(while :; do echo tick; sleep 0.03; done) & echo fg', { graceMs: 600 }))
      const { value, tookMs } = await timed(handle.done)
      expect({ value, ended: handle.collected.stdout?.ended }).toEqual({ value: success, ended: false })
      expect(tookMs).toBeGreaterThanOrEqual(590)
      expect(tookMs).toBeLessThan(3000)
      handle.terminate()
      await handle.waitForExit()
    })

    it('and writes a little after the exit is still in the result', { retry: 5 }, async () => {
      const handle = runtime.spawn(bash('(sleep 0.05; echo late) & echo early', { graceMs: 20_000 }))
      expect((await finished(handle)).stdout).toBe('early\nlate\n')
      await handle.waitForExit()
    })

    it('never gets SIGPIPE because the call returned, and stays readable', async () => {
      const script = '(read -r _ <&7; head -c 300000 /dev/zero | tr \'\\0\' x && echo " wrote all") & exit 0'
      const handle = runtime.spawn(bash(script, { graceMs: 100, stdio: { control: 'pipe' } }))
      const outcome = await handle.done
      const before = textOf(handle)
      handle.control?.end('go\n')
      const empty = await handle.waitForExit()
      await until(() => handle.collected.stdout?.ended === true)
      expect({
        outcome,
        before,
        empty,
        total: handle.collected.stdout?.totalBytes,
        end: textOf(handle).slice(-12)
      }).toEqual({
        outcome: success,
        before: '',
        empty: true,
        total: 300_011,
        end: 'x wrote all\n'
      })
    })
  })

  describe('a leftover that is kept', () => {
    it('runs on, is seen, and is waited for by waitForExit', async () => {
      const handle = runtime.spawn(
        bash('(read -r _ <&7; echo bye) >/dev/null 2>&1 & exit 0', { stdio: { control: 'pipe' } })
      )
      const outcome = await handle.done
      const quiescent = [handle.facts.quiescent]
      const early = await handle.waitForExit(AbortSignal.timeout(100))
      handle.control?.end('go\n')
      const empty = await handle.waitForExit()
      quiescent.push(handle.facts.quiescent)
      expect({ outcome, early, empty, quiescent }).toEqual({
        outcome: success,
        early: false,
        empty: true,
        quiescent: [false, true]
      })
    })
  })

  describe('leftovers to be terminated', () => {
    it('are ended before the command settles', async () => {
      const marker = sleepMarker()
      const handle = runtime.spawn(bash(`sleep ${marker} & echo ok`, { leftovers: 'terminate' }))
      const result = await finished(handle)
      expect({ result, left: running(marker), quiescent: handle.facts.quiescent, cause: handle.facts.cause }).toEqual({
        result: { outcome: success, stdout: 'ok\n', stderr: '' },
        left: [],
        quiescent: true,
        cause: null
      })
    })

    it('are killed after the grace when they do not obey', async () => {
      const marker = sleepMarker()
      const script = `bash -c 'trap "" TERM; echo up; while :; do sleep 0.02; done' ${marker} & read -r _; echo ok`
      const handle = runtime.spawn(bash(script, { leftovers: 'terminate', graceMs: 300, stdio: { stdin: 'pipe' } }))
      await until(() => textOf(handle).includes('up'))
      handle.stdin?.end('\n')
      const outcome = await handle.done
      expect({ outcome, left: running(marker), quiescent: handle.facts.quiescent }).toEqual({
        outcome: success,
        left: [],
        quiescent: true
      })
    })
  })

  describe('a process group of which only zombies are left', () => {
    /** Outside of the group a keeper lives on that does not reap its child inside; prints the pids of both. */
    const program = `
      use POSIX; $| = 1;
      if (my $keeper = fork) { my $line = <STDIN>; exit 0 }
      if (my $zombie = fork) { POSIX::setsid(); print "$$ $zombie\\n"; sleep 300 }
      exit 0`

    it('is empty', async () => {
      const group = provider.create({ ranges: ['group'] })
      const handle = group.spawn(specOf(['perl', '-e', program], { graceMs: 100, stdio: { stdin: 'pipe' } }))
      await untilOutput(handle, '\n')
      const [keeper = 0, zombie = 0] = textOf(handle).trim().split(' ').map(Number)
      await until(() => fs.readFileSync(`/proc/${zombie}/stat`, 'latin1').includes(') Z '))
      handle.stdin?.end('\n')
      const outcome = await handle.done
      const empty = await handle.waitForExit(AbortSignal.timeout(10_000))
      const zombieStays = fs.existsSync(`/proc/${zombie}`)
      process.kill(keeper, 'SIGKILL')
      await group.dispose()
      expect({ outcome, empty, zombieStays }).toEqual({ outcome: success, empty: true, zombieStays: true })
    })
  })

  describe('a process that left session and group', () => {
    const escapee = (marker: string) => bash(`setsid sleep ${marker} >/dev/null 2>&1 & wait`)

    it('is ended with a cgroup, and escapes a process group', async () => {
      const marker = sleepMarker()
      const handle = runtime.spawn(escapee(marker))
      await until(() => running(marker).length === 1)
      handle.terminate()
      const empty = await handle.waitForExit()
      const left = running(marker)
      for (const pid of left) process.kill(pid, 'SIGKILL')
      await until(() => running(marker).length === 0)
      expect({ empty, left: left.length }).toEqual({ empty: true, left: handle.facts.range === 'group' ? 1 : 0 })
    })
  })
})
