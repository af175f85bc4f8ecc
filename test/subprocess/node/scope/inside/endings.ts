// Commands in scopes that are ended: what had left its group, stops that race with the start, disposal, exit of the host.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { NodeSubprocessRuntime } from '../../../../../src/subprocess/node/node-runtime.js'
import type { SubprocessHandle } from '../../../../../src/subprocess/types.js'
import { running, sleepMarker, textOf, until, untilOutput } from '../../../behaviour/observe.js'
import { bash } from '../../../specs.js'

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Two forks and a session away from the command. */
const detached = (marker: string): string => `(setsid bash -c 'sleep ${marker}; :' >/dev/null 2>&1 </dev/null &)`

const facts = ({ facts: { range, cause, quiescent } }: SubprocessHandle): object => ({ range, cause, quiescent })

export function units(): string[] {
  const list = ['--user', 'list-units', '--all', '--plain', '--no-legend', 'quiesce-*']
  return spawnSync('systemctl', list, { encoding: 'utf8' }).stdout.split('\n').filter(Boolean)
}

export async function leftover(): Promise<object> {
  const runtime = new NodeSubprocessRuntime({ ranges: ['scope'] })
  const marker = sleepMarker()
  const handle = runtime.spawn(bash(`${detached(marker)}; exit 4`))
  await until(() => running(marker).length > 0)
  const outcome = await handle.done
  const after = facts(handle)
  handle.terminate()
  const empty = await handle.waitForExit()
  const left = running(marker)
  await runtime.dispose()
  return { outcome, after, empty, finally: facts(handle), left }
}

export async function politeness(): Promise<object> {
  const runtime = new NodeSubprocessRuntime({ ranges: ['scope'] })
  const helper = `trap "echo helped" TERM; echo up; while :; do sleep 0.02; done`
  const handle = runtime.spawn(bash(`setsid bash -c '${helper}' & trap "" TERM; wait; wait`, { graceMs: 400 }))
  await untilOutput(handle, 'up')
  handle.terminate()
  const empty = await handle.waitForExit()
  const outcome = await handle.done
  await runtime.dispose()
  return { outcome, empty, output: textOf(handle), ...facts(handle) }
}

/** Ends `count` commands after delays that are spread over twice the time that a command takes here. */
export async function races(count: number): Promise<object> {
  const runtime = new NodeSubprocessRuntime({ ranges: ['scope'] })
  const marker = sleepMarker()
  const askedAt = performance.now()
  await runtime.spawn(bash('exit 0')).done
  const usualMs = performance.now() - askedAt
  const unexpected: unknown[] = []
  const one = async (): Promise<void> => {
    const controller = new AbortController()
    const script = `${detached(marker)}; exec sleep ${marker}`
    const handle = runtime.spawn(bash(script, { graceMs: 300, signal: controller.signal }))
    await pause(Math.random() * 2 * usualMs)
    controller.abort()
    const told = await handle.done.catch((error: Error) => error.message)
    const end = { told, empty: await handle.waitForExit(), ...facts(handle) }
    const ended = { exitCode: null, signal: 'SIGTERM' }
    const wanted = { told: ended, empty: true, range: 'scope', cause: 'terminate', quiescent: true }
    if (JSON.stringify(end) !== JSON.stringify(wanted)) unexpected.push(end)
  }
  for (let index = 0; index < count; index += 3) await Promise.all([one(), one(), one()])
  const left = running(marker)
  await runtime.dispose()
  await until(() => units().length === 0)
  return { unexpected, left, units: units() }
}

export async function deadlines(): Promise<object> {
  const runtime = new NodeSubprocessRuntime({ ranges: ['scope'] })
  const [early, late] = [bash('sleep 300', { deadlineMs: 1 }), bash('sleep 300 & wait', { deadlineMs: 300 })]
  const handles = [early, late].map((spec) => runtime.spawn(spec))
  const outcomes = await Promise.all(handles.map(({ done }) => done))
  await Promise.all(handles.map((handle) => handle.waitForExit()))
  await runtime.dispose()
  return { outcomes, facts: handles.map(facts) }
}

const openFiles = (): number => fs.readdirSync('/proc/self/fd').length
const temporary = (): string[] => fs.readdirSync(tmpdir()).filter((name) => name.startsWith(`quiesce-${process.pid}`))

export async function disposal(): Promise<object> {
  // What the first command of a process makes libuv open stays open for good.
  const first = new NodeSubprocessRuntime({ ranges: ['scope'] })
  await first.spawn(bash('true')).done
  await first.dispose()
  const before = openFiles()
  const runtime = new NodeSubprocessRuntime({ ranges: ['scope'] })
  const marker = sleepMarker()
  const handles = Array.from({ length: 8 }, () => runtime.spawn(bash(`${detached(marker)}; exec sleep ${marker}`)))
  await until(() => running(marker).length === 16)
  const running8 = units().length
  await runtime.dispose()
  const left = { processes: running(marker), empty: handles.map(({ facts }) => facts.quiescent) }
  await until(() => units().length === 0 && openFiles() <= before)
  return { running8, left, units: units(), temporary: temporary() }
}

/** What a host does that is about to exit: its commands are up, and one has only been asked for. */
export async function exitingHost(marker: string): Promise<void> {
  const runtime = new NodeSubprocessRuntime({ ranges: ['scope'] })
  runtime.spawn(bash(`${detached(marker)}; exec sleep ${marker}`))
  runtime.spawn(bash(`${detached(marker)}; exit 0`))
  await until(() => running(marker).length === 3)
  runtime.spawn(bash(`${detached(marker)}; exec sleep ${marker}`))
  process.exit(23)
}

export async function hostExit(program: string): Promise<object> {
  const marker = sleepMarker()
  const { status, stderr } = spawnSync(process.execPath, [program, 'exitingHost', marker], { encoding: 'utf8' })
  await until(() => running(marker).length === 0 && units().length === 0)
  return { status, stderr }
}
