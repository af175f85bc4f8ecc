// Hosts that are killed in mid-command, and what is there of them: processes, guardians, cgroup folders, files.

import type { ChildProcess } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cgroupFacts } from '../../src/cli/doctor/cgroup-facts.js'
import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import { type FeatureTest, feature } from '../setup/features.js'
import { running, sleepMarker, until } from '../subprocess/behaviour/observe.js'
import { type HostProvider, runHost } from './host.js'
import { cCompiler } from './host-libraries.js'

export const withCgroup: FeatureTest = feature('a cgroup range and a C compiler', () => {
  new NativeSubprocessRuntime({ ranges: ['cgroup'] })
  return cCompiler()
})

/** Direct children of `pid`, zombies included, that were started to guard. */
export function guardiansOf(pid: number): number[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'latin1')
      const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const [, sub] = fs.readFileSync(`/proc/${name}/cmdline`, 'latin1').split('\0')
      return Number(parent) === pid && sub === 'guard' ? [Number(name)] : []
    } catch {
      return []
    }
  })
}

export function cgroupsOf(pid: number): string[] {
  const { folder } = cgroupFacts()
  if (folder === null) return []
  return fs
    .readdirSync(folder)
    .filter((name) => name.startsWith(`quiesce-${pid}-`))
    .map((name) => join(folder, name))
}

export interface Left {
  readonly processes: number
  readonly cgroups: number
  readonly files: readonly string[]
}

export const nothing: Left = { processes: 0, cgroups: 0, files: [] }

function left(marker: string, pid: number, tmp: string): Left {
  return { processes: running(marker).length, cgroups: cgroupsOf(pid).length, files: filesBelow(tmp) }
}

async function untilNothing(look: () => Left): Promise<number | null> {
  const from = performance.now()
  while (performance.now() - from < 5000) {
    const { processes, cgroups, files } = look()
    if (processes + cgroups + files.length === 0) return performance.now() - from
    await new Promise(setImmediate)
  }
  return null
}

export interface Crashed {
  readonly marker: string
  readonly tmp: string
  readonly pid: number
  readonly stdout: string
  /** From the kill until there was nothing of the host; null if that took longer than five seconds. */
  readonly msToNothing: number | null
  /** What is there now. */
  left(): Left
  /** Ends what the test has left on purpose. */
  tidy(): void
}

export interface Crash {
  readonly provider?: HostProvider
  /** How many processes with `marker` there must be before anything is killed. */
  readonly processes: number
  /** Looks from the kill on until nothing is left. */
  readonly measured?: boolean
  /** Absent: waits for a guardian, then SIGKILL for the host. */
  readonly kill?: (host: ChildProcess, marker: string) => Promise<void>
}

export async function killHost(host: ChildProcess): Promise<void> {
  await until(() => guardiansOf(host.pid ?? 0).length === 1)
  host.kill('SIGKILL')
}

/** Runs `body` in a host whose temp folder is its own; it says `ready` and is killed. It finds `marker`. */
export async function crash(
  body: string,
  { provider = 'native', processes, measured = false, kill = killHost }: Crash
): Promise<Crashed> {
  const marker = sleepMarker()
  const tmp = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'crashed-host-')))
  let pid = 0
  let msToNothing: number | null = null
  let killing: Promise<void> | null = null
  const end = async (host: ChildProcess): Promise<void> => {
    pid = host.pid ?? 0
    await until(() => running(marker).length === processes)
    await kill(host, marker)
    msToNothing = measured ? await untilNothing(() => left(marker, pid, tmp)) : null
  }
  const { signal, stdout, stderr } = await runHost(
    provider,
    `const marker = '${marker}'
     ${body}
     console.log('ready')
     setInterval(() => {}, 1000)`,
    { TMPDIR: tmp },
    {
      onStdout: (text, host) => {
        if (text.includes('ready')) killing ??= end(host)
      }
    }
  )
  if (signal !== 'SIGKILL') throw new Error(`the host ended by itself: ${stderr}`)
  await killing
  return {
    marker,
    tmp,
    pid,
    stdout,
    msToNothing,
    left: () => left(marker, pid, tmp),
    tidy: () => {
      for (const process_ of running(marker)) process.kill(process_, 'SIGKILL')
      fs.rmSync(tmp, { recursive: true })
    }
  }
}

/** Without the marks of owners. */
export function filesBelow(folder: string): string[] {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
}

/** For the body of a host. */
export const spilling = `
  const spilled = async (parts = {}) => {
    const stdout = { maxBytes: 3, spill: { maxBytes: 1000 } }
    const handle = runtime.spawn(bash('printf 0123456789', parts, { stdout }))
    await handle.done
    return handle.collected.stdout.readFrom(0).spillPath
  }
`
