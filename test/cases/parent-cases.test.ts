// Cases that speak of the process which runs the command: each in a real Node process, made the way that the case says.

import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, copyFileSync, existsSync, openSync, realpathSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { expect, vi } from 'vitest'
import type { SubprocessOptions } from '../../src/context/options.js'
import { endSurvivors, survivorsOf } from '../fixtures/shell/live-processes.js'
import type { Case } from './case.js'
import { compiled, type HostStart, openFolder, performInHost } from './host.js'
import type { HostTask } from './host-main.js'
import { caseOnProviders, onCgroups, onGroups, onNative, onNode } from './on-providers.js'
import type { Observation } from './perform-case.js'

vi.setConfig({ testTimeout: 300_000 })

/** The last observation; what a case says of all of them is checked here. */
async function inHost(
  entry: Case,
  subprocess: SubprocessOptions,
  parent?: HostTask['parent'],
  start?: HostStart
): Promise<Observation> {
  const seen = await performInHost({ entry, subprocess, parent }, start)
  for (const { result } of seen)
    if (result !== null && 'exitCode' in entry.expect) expect(result.exitCode).toBe(entry.expect.exitCode)
  return seen.at(-1) as Observation
}

/** A user that nobody else is, so that only these processes count against its limit. */
const uid = String(30_000 + (process.pid % 30_000))
const asUser = ['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups']
const canBeUser = (): true | string => process.getuid?.() === 0 || 'needs root to become another user'

const withoutBash = `
  place=$1; shift
  mount -t tmpfs none "$place" && mkdir "$place/upper" "$place/work" &&
  mount -t overlay none -o "lowerdir=$BASH_AT,upperdir=$place/upper,workdir=$place/work" "$BASH_AT" &&
  rm "$BASH_AT/bash" && ! [ -e /bin/bash ] && exec "$@"`
const env = { BASH_AT: '/usr/bin' }
const hidden = (): string[] => [
  'unshare',
  '--mount',
  '--propagation',
  'private',
  'sh',
  '-c',
  withoutBash,
  'sh',
  openFolder('root')
]

const canHideBash = (): true => {
  const [program = '', ...args] = [...hidden(), 'true']
  execFileSync(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  return true
}

caseOnProviders(
  'B46',
  (entry, subprocess) => {
    const elsewhere = openFolder('elsewhere')
    copyFileSync(realpathSync('/usr/bin/bash'), join(elsewhere, 'bash'))
    chmodSync(join(elsewhere, 'bash'), 0o755)
    const PATH = `${process.env.PATH}:${elsewhere}`
    return inHost(entry, subprocess, undefined, { launcher: hidden(), env: { ...env, PATH } })
  },
  { needs: ['a root without bash', canHideBash] }
)

const quoted = (argv: readonly string[]): string => argv.map((word) => `'${word.replaceAll("'", `'\\''`)}'`).join(' ')

caseOnProviders(
  'B58',
  (entry, subprocess) => {
    const wrap = (argv: readonly string[]): string[] => [
      'script',
      '-qec',
      `: </dev/tty && ${quoted(argv)}`,
      '/dev/null'
    ]
    return inHost(entry, subprocess, undefined, { wrap })
  },
  { needs: ['script(1), for a terminal', () => existsSync('/usr/bin/script') || 'it is not installed'] }
)

caseOnProviders('B63', (entry, subprocess) => inHost(entry, subprocess, 'twoTerminals'))

caseOnProviders(
  'B88',
  (entry, subprocess) =>
    inHost(entry, subprocess, 'processesUsedUp', { launcher: [...asUser, 'prlimit', '--nproc=25:25'] }),
  { on: onGroups, needs: ['another user', canBeUser] }
)

/** 20 and 251 are open in the host from its start, for every child to have. */
async function withExtraDescriptors(entry: Case, subprocess: SubprocessOptions): Promise<Observation> {
  const fd = openSync('/dev/null', 'r')
  const stdio = Array.from({ length: 251 - 3 + 1 }, (_, place): 'ignore' | number =>
    place === 20 - 3 || place === 251 - 3 ? fd : 'ignore'
  )
  try {
    return await inHost(entry, subprocess, undefined, { stdio })
  } finally {
    closeSync(fd)
  }
}

caseOnProviders('B93', withExtraDescriptors, { on: onNative })
caseOnProviders('B93', withExtraDescriptors, {
  on: onNode,
  note: 'except that what the host inherited so reaches the command, as child_process has it',
  instead: { stdoutEquals: '0 1 2 20 251 3 ' }
})

const workerTerminated = (entry: Case, subprocess: SubprocessOptions): Promise<Observation> =>
  inHost(entry, subprocess, 'workerTerminated')

caseOnProviders('B96', workerTerminated, { on: onNative })
caseOnProviders('B96', workerTerminated, {
  on: onNode,
  note: 'except that child_process reaps nothing of a worker that was terminated',
  instead: { zombiesAddedBelowUs: 1 }
})

async function hostKilled(entry: Case, subprocess: SubprocessOptions): Promise<Observation> {
  const { withinMs } = entry.expect.afterParentSigkill as { withinMs: number }
  await expect(performInHost({ entry, subprocess, parent: 'killed' })).rejects.toThrow('the host ended with SIGKILL')
  const from = performance.now()
  const survivors = (): number[] => survivorsOf('QUIESCE_CASE=host-killed')
  while (survivors().length > 0 && performance.now() - from < withinMs) await new Promise(setImmediate)
  const left = survivors()
  endSurvivors(left)
  const measured = { afterParentSigkill: { survivors: left.length, withinMs } }
  return { outcome: 'unknown', tookMs: 0, result: null, error: null, survivors: left, measured }
}

caseOnProviders('B97', hostKilled, { on: onCgroups })
caseOnProviders('B97', hostKilled, {
  on: onGroups,
  note: 'except that what runs in a process group lives on',
  instead: { afterParentSigkill: { survivors: 1, withinMs: 2000 } }
})

caseOnProviders('B98', (entry, subprocess) => inHost(entry, subprocess, 'otherThreadEnded'))

// Where they are denied from the start there are no supervisors, and later a supervisor does without them.
const notSupervised = ({ ranges }: SubprocessOptions): boolean => ranges?.includes('supervisor') !== true

// pidfd_send_signal, pidfd_open, clone3, close_range: EPERM.
const denied = '424:1,434:1,435:1,436:1'
let denies: string | undefined
const deniesCalls = (): string => {
  denies ??= compiled('denies-calls', '-shared', '-fPIC')
  return denies
}

caseOnProviders(
  'B106',
  (entry, subprocess) => inHost(entry, subprocess, 'denied', { env: { LD_PRELOAD: deniesCalls(), DENY: denied } }),
  { on: notSupervised, note: 'denied from the start' }
)

caseOnProviders(
  'B106',
  (entry, subprocess) =>
    inHost(entry, subprocess, 'deniedLater', { env: { DENIES_CALLS: deniesCalls(), DENY_LATER: denied } }),
  { on: notSupervised, note: 'denied after the first command' }
)

caseOnProviders(
  'B106',
  async (entry, subprocess) => {
    const trapping = {
      ...entry,
      command: 'trap "" TERM; echo ok; sleep 31.04',
      timeoutMs: 1000,
      opts: { graceMs: 300 }
    }
    const ending = { ...trapping, expect: { outcome: 'timed-out', survivors: 0 } }
    const start = { env: { LD_PRELOAD: deniesCalls(), DENY: denied } }
    return (await performInHost({ entry: ending, subprocess, parent: 'denied' }, start))[0] as Observation
  },
  {
    on: notSupervised,
    note: 'and what traps TERM is ended',
    instead: { outcome: 'timed-out', exitCode: null, survivors: 0 }
  }
)

caseOnProviders('B107', (entry, subprocess) => {
  const PATH = openFolder('path')
  for (const name of ['bash', 'sleep']) symlinkSync(realpathSync(`/usr/bin/${name}`), join(PATH, name))
  return inHost(entry, subprocess, 'watchedChildren', { env: { PATH } })
})

async function withMuchMemory(entry: Case, subprocess: SubprocessOptions): Promise<Observation[]> {
  const seen = await performInHost({ entry, subprocess, parent: 'muchMemory' })
  expect(seen).toHaveLength(entry.expect.repeat as number)
  return seen
}

const longestOf = (seen: readonly Observation[]): Observation => {
  const blocks = seen.map(({ measured }) => measured?.maxEventLoopBlockMs as number)
  return { ...(seen[0] as Observation), measured: { maxEventLoopBlockMs: Math.max(...blocks) } }
}

caseOnProviders('B113', async (entry, subprocess) => longestOf(await withMuchMemory(entry, subprocess)), {
  on: onNative
})
caseOnProviders(
  'B113',
  async (entry, subprocess) => {
    const seen = longestOf(await withMuchMemory(entry, subprocess))
    expect(seen.measured?.maxEventLoopBlockMs).toBeGreaterThan(10)
    return seen
  },
  {
    on: onNode,
    note: 'except that child_process copies the page tables of its host on the event loop',
    instead: { maxEventLoopBlockMs: undefined }
  }
)

caseOnProviders(
  'B114',
  async (entry, subprocess) => {
    const program = compiled('becomes-root')
    chmodSync(program, 0o4755)
    const task = { ...entry, command: entry.command.replace('sudo -n', program) }
    const marker = 'QUIESCE_CASE=leaves'
    try {
      const seen = await inHost(task, subprocess, 'leavesSurvivors', { launcher: asUser })
      expect(survivorsOf(marker)).toHaveLength(1)
      return seen
    } finally {
      endSurvivors(survivorsOf(marker))
    }
  },
  { on: onGroups, needs: ['another user', canBeUser], note: 'with a set-user-id program in the place of sudo' }
)
