import * as fs from 'node:fs'
import { describe, expect, vi } from 'vitest'
import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import { childProcesses } from '../setup/probes.js'
import { finished, running, success, until } from '../subprocess/behaviour/observe.js'
import { bash } from '../subprocess/specs.js'
import { cgroupsOf, crash, filesBelow, guardiansOf, killHost, nothing, spilling, withCgroup } from './crashing.js'
import { loading } from './host-libraries.js'

/** More of them in a run of its own: HOST_CRASH_ROUNDS=100. */
const rounds = Number(process.env.HOST_CRASH_ROUNDS ?? 30)

vi.setConfig({ testTimeout: Math.max(300_000, rounds * 10_000) })

/** 50 that sleep, half of them no longer in the session, let alone the children, of their command. */
const fifty = `
  for (let n = 0; n < 25; n++) {
    runtime.spawn(bash('exec sleep ' + marker))
    runtime.spawn(bash('(setsid bash -c "(exec sleep ' + marker + ') &" &)', { leftovers: 'keep' }))
  }`

describe('a host that is killed', () => {
  withCgroup(`while 50 commands run leaves nothing of them a second later, ${rounds} times of ${rounds}`, async () => {
    const late: unknown[] = []
    let longest = 0
    for (let round = 0; round < rounds; round++) {
      const crashed = await crash(`${spilling} ${fifty} await spilled()`, { processes: 50, measured: true })
      const { msToNothing } = crashed
      longest = Math.max(longest, msToNothing ?? Number.POSITIVE_INFINITY)
      if (msToNothing === null || msToNothing > 1000 || fs.readdirSync(crashed.tmp).length > 0) late.push(msToNothing)
      crashed.tidy()
    }
    expect(late).toEqual([])
    if (process.env.HOST_CRASH_ROUNDS !== undefined)
      console.log(`at the longest ${longest.toFixed(1)} ms after the kill`)
  })

  withCgroup('is not kept alive by a fork of it that holds everything it had open', async () => {
    const crashed = await crash(`${loading('forks-itself')}; ${fifty}`, {
      processes: 50,
      measured: true,
      kill: async (host) => {
        let said = ''
        host.stdout?.on('data', (chunk: string) => {
          said += chunk
        })
        await until(() => guardiansOf(host.pid ?? 0).length === 1)
        host.kill('SIGUSR2')
        await until(() => said.includes('forked '))
        host.kill('SIGKILL')
      }
    })
    const fork = Number(/forked (\d+)/.exec(crashed.stdout)?.[1])
    try {
      expect(process.kill(fork, 0)).toBe(true)
      expect(crashed.msToNothing).toBeLessThan(1000)
    } finally {
      process.kill(fork, 'SIGKILL')
    }
    crashed.tidy()
  })

  withCgroup('after its guardian was killed has another one', async () => {
    const crashed = await crash(fifty, {
      processes: 50,
      measured: true,
      kill: async (host) => {
        const guardians = () => guardiansOf(host.pid ?? 0)
        for (let round = 0; round < 3; round++) {
          await until(() => guardians().length === 1)
          const [killed = 0] = guardians()
          // One that dies within a moment of its start is only replaced with the next command.
          await new Promise((resolve) => setTimeout(resolve, 100))
          process.kill(killed, 'SIGKILL')
          await until(() => guardians().length === 1 && !guardians().includes(killed))
        }
        await killHost(host)
      }
    })
    expect(crashed.msToNothing).toBeLessThan(1000)
    crashed.tidy()
  })

  withCgroup('leaves the spill files that were claimed', async () => {
    const body = `${spilling} await spilled(); const path = await spilled(); runtime.claimSpill(path); console.log(path)`
    const crashed = await crash(body, { processes: 0 })
    const [path = ''] = crashed.stdout.split('\n')
    await until(() => filesBelow(crashed.tmp).length === 1)
    expect([
      filesBelow(crashed.tmp),
      fs.readFileSync(path, 'utf8'),
      (fs.statSync(path).mode & 0o7777).toString(8)
    ]).toEqual([[path], '0123456789', '600'])
    crashed.tidy()
  })

  withCgroup('leaves no spill file with process groups either', async () => {
    const groups = `const options = { ranges: ['group'] }; const runtime_ = new NativeSubprocessRuntime(options)`
    const crashed = await crash(`${spilling.replace('runtime.', 'runtime_.')} ${groups}; await spilled()`, {
      processes: 0
    })
    await until(() => fs.readdirSync(crashed.tmp).length === 0)
    expect(crashed.left()).toEqual(nothing)
    crashed.tidy()
  })

  withCgroup('with onHostCrash leave has no guardian, and later runtimes keep what lives', async () => {
    const body = `
      const other = new NativeSubprocessRuntime({ onHostCrash: 'leave' })
      other.spawn(bash('exec sleep ' + marker))
      other.spawn(bash('(setsid sleep ' + marker + ' &)'))`
    const guardians: number[] = []
    const crashed = await crash(body, {
      processes: 2,
      kill: async (host) => {
        guardians.push(...guardiansOf(host.pid ?? 0))
        host.kill('SIGKILL')
      }
    })
    await sweep()
    expect({ guardians, ...crashed.left() }).toEqual({ guardians: [], processes: 2, cgroups: 1, files: [] })
    crashed.tidy()
    await until(() => running(crashed.marker).length === 0)
    await until(() => cgroupsOf(crashed.pid).every((folder) => !populated(folder)))
    await sweep()
    expect(cgroupsOf(crashed.pid)).toEqual([])
  })
})

function populated(folder: string): boolean {
  return fs.readFileSync(`${folder}/cgroup.events`, 'latin1').includes('populated 1')
}

/** What the first command of a runtime has done by its disposal at the latest. */
async function sweep(spillDir?: string): Promise<void> {
  const runtime = new NativeSubprocessRuntime({ ranges: ['cgroup'], spillDir })
  await runtime.spawn(bash(':')).done
  await runtime.dispose()
}

describe('a new runtime', () => {
  withCgroup('ends and removes what a host left that was killed together with its guardian', async () => {
    const crashed = await crash(`${spilling} ${fifty} await spilled()`, {
      processes: 50,
      kill: async (host) => {
        await until(() => guardiansOf(host.pid ?? 0).length === 1)
        const [guardian = 0] = guardiansOf(host.pid ?? 0)
        process.kill(guardian, 'SIGSTOP')
        host.kill('SIGKILL')
        process.kill(guardian, 'SIGKILL')
      }
    })
    const before = crashed.left()
    await sweep(crashed.tmp)
    await until(() => running(crashed.marker).length === 0)
    expect({ before: { ...before, files: before.files.length }, after: crashed.left() }).toEqual({
      before: { processes: 50, cgroups: 1, files: 1 },
      after: nothing
    })
    crashed.tidy()
  })

  withCgroup('touches nothing of a host that lives', async () => {
    let during: object = {}
    const crashed = await crash(`${spilling} ${fifty} await spilled()`, {
      processes: 50,
      kill: async (host, marker) => {
        await until(() => guardiansOf(host.pid ?? 0).length === 1)
        const tmp = fs.readFileSync(`/proc/${host.pid}/environ`, 'utf8').split('TMPDIR=')[1]?.split('\0')[0] ?? ''
        await sweep(tmp)
        const cgroups = cgroupsOf(host.pid ?? 0).length
        during = { processes: running(marker).length, cgroups, files: filesBelow(tmp).length }
        await killHost(host)
      }
    })
    expect(during).toEqual({ processes: 50, cgroups: 1, files: 1 })
    await until(() => running(crashed.marker).length === 0 && fs.readdirSync(crashed.tmp).length === 0)
    crashed.tidy()
  })
})

describe('a guardian', () => {
  withCgroup('is there from the first command until the disposal, and goes with it', async () => {
    const before = childProcesses()
    const runtime = new NativeSubprocessRuntime({ ranges: ['cgroup'] })
    expect(guardiansOf(process.pid)).toEqual([])
    await runtime.spawn(bash(':')).done
    await until(() => guardiansOf(process.pid).length === 1)
    const during = childProcesses().length - before.length
    await runtime.dispose()
    expect([during, childProcesses()]).toEqual([1, before])
  })

  withCgroup('may be killed at any moment under load: nothing is lost, and there is another', async () => {
    const runtime = new NativeSubprocessRuntime({ ranges: ['cgroup'] })
    let over = false
    let wrong = 0
    let count = 0
    const lane = async (): Promise<void> => {
      while (!over) {
        const end = await finished(runtime.spawn(bash('echo x')))
        count += 1
        if (end.stdout !== 'x\n' || end.outcome.exitCode !== success.exitCode) wrong += 1
      }
    }
    const lanes = Array.from({ length: 4 }, lane)
    for (let kill = 0; kill < 60; kill++) {
      await until(() => guardiansOf(process.pid).length === 1)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 80))
      const [guardian] = guardiansOf(process.pid)
      if (guardian !== undefined) process.kill(guardian, 'SIGKILL')
      await until(() => !guardiansOf(process.pid).includes(guardian ?? 0))
    }
    await until(() => guardiansOf(process.pid).length === 1)
    over = true
    await Promise.all(lanes)
    await runtime.dispose()
    expect({ wrong, some: count > 60, guardians: guardiansOf(process.pid) }).toEqual({
      wrong: 0,
      some: true,
      guardians: []
    })
  })
})
