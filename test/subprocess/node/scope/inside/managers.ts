// Hosts whose systemd does not do its part: each has process groups, or says what failed, and warns once.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { NodeSubprocessRuntime } from '../../../../../src/subprocess/node/node-runtime.js'
import { finished } from '../../../behaviour/observe.js'
import { bash } from '../../../specs.js'

/** Two runtimes and two commands of each, as the host sees them. */
export async function commandsOfHost(): Promise<object> {
  const warnings: string[] = []
  const told: unknown[] = []
  for (const _ of [1, 2]) {
    const runtime = new NodeSubprocessRuntime({
      onWarning: ({ code, message }) => warnings.push(`${code}: ${message}`)
    })
    for (const command of ['echo one', 'echo two']) {
      const handle = runtime.spawn(bash(command))
      told.push(await finished(handle).catch(({ message, stage }) => ({ message, stage })), handle.facts.range)
    }
    told.push(runtime.range)
    await runtime.dispose()
  }
  return { warnings, told }
}

const brokenPrograms: Readonly<Record<string, string>> = {
  'fails silently': 'exit 1',
  'fails with words': 'echo "Failed to start transient scope unit: No" >&2; exit 1',
  'does not know an option': 'echo "systemd-run: unrecognized option \'--collect\'" >&2; exit 1',
  'runs the command where it is': 'while [ "$1" != -- ]; do shift; done; shift; exec "$@"',
  hangs: 'exec sleep 600'
}

/** What a new host tells whose systemd-run does this. */
export function brokenHosts(program: string, names: readonly string[]): object {
  const folder = fs.mkdtempSync(join(tmpdir(), 'scope-managers-'))
  const path = `${folder}:${process.env.PATH}`
  const told = names.map((name) => {
    fs.writeFileSync(join(folder, 'systemd-run'), `#!/bin/sh\n${brokenPrograms[name]}\n`, { mode: 0o755 })
    const { stdout, stderr } = spawnSync(process.execPath, [program, 'commandsOfHost'], {
      ...{ encoding: 'utf8', env: { ...process.env, PATH: path } }
    })
    return [name, stderr === '' ? JSON.parse(stdout) : stderr]
  })
  fs.rmSync(folder, { recursive: true })
  return Object.fromEntries(told)
}

/** The manager ends between two commands. Its socket stays. */
export async function lostManager(): Promise<object> {
  const warnings: string[] = []
  const runtime = new NodeSubprocessRuntime({ onWarning: ({ message }) => warnings.push(message) })
  const told: unknown[] = []
  const next = async (): Promise<void> => {
    const handle = runtime.spawn(bash('echo fine'))
    const { range } = handle.facts
    told.push(range, await finished(handle).catch(({ message, stage, code }) => ({ message, stage, code })))
  }
  await next()
  process.kill(managerPid(), 'SIGKILL')
  for (const _ of [1, 2, 3]) await next()
  await runtime.dispose()
  return { told, warnings }
}

function managerPid(): number {
  const found = fs.readdirSync('/proc').find((pid) => /^\d+$/.test(pid) && isManager(pid))
  if (found === undefined) throw new Error('there is no user manager')
  return Number(found)
}

/** Of this user, and for root not the system's own. */
function isManager(pid: string): boolean {
  try {
    const args = fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
    return args[0]?.endsWith('/systemd') === true && args.includes('--user')
  } catch {
    return false
  }
}
