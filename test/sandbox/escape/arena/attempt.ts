// Makes one attack, confined by a backend: as its user, in the workspace, with what it aims at in its environment.

import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { prefixOf } from '../backends.js'
import { type HostParts, PreparedHost } from '../hosting.js'
import type { HostAnswer } from '../prepared-host.js'
import { hiddenPaths } from './folders.js'
import { place } from './place.js'
import type { ArenaTask } from './task.js'

export type Attempt = HostAnswer

const longestMs = 20_000

/** Landlock alone refuses a policy with hidden paths. */
function prefixFor(task: ArenaTask, host: HostParts | null): string[] {
  const hidden = task.backend === 'landlock' ? [] : hiddenPaths
  const roots = [place.workspace, '/tmp', place.temp]
  return prefixOf(task, { runner: host?.runner ?? '', workspace: place.workspace, roots, hidden })
}

type Targets = Readonly<Record<string, string>>

export interface Attempts {
  make(name: string, targets: Targets): Promise<Attempt>
  end(): Promise<void>
}

function environment({ machine, disk, cage }: ArenaTask, targets: Targets): Record<string, string> {
  const all: Record<string, string> = {
    ...{ MACHINE_MNT: machine.mnt, MACHINE_PID: machine.pid, MACHINE_NET: machine.net },
    ...{ OUT: place.out, WS: place.workspace, TMP: place.temp, LOCKED: place.locked, COVERED: place.covered },
    ...{ DISK: disk.path, HOST: '1' },
    ...(cage === null ? {} : { CAGE: cage.folder, CAGE_NAME: `.${cage.folder.slice(cage.mountPoint.length)}` }),
    ...targets
  }
  const entries = Object.entries(all).map(([name, value]) => [`ATTACK_${name}`, value])
  return { PATH: process.env.PATH ?? '', ...Object.fromEntries(entries) }
}

/** The one attack that aims at the null device. */
const inputOf = (name: string): string => (name === 'null-by-input' ? '/dev/null' : join(place.out, 'stdin'))

/** Descriptors 3 and 4 are what a careless starter leaves open. */
async function startByNode(
  task: ArenaTask,
  stdin: string,
  argv: readonly string[],
  env: Record<string, string>
): Promise<Attempt> {
  const [program = '', ...args] = argv
  const [input, file, folder] = [openSync(stdin, 'r'), openSync(join(place.out, 'f'), 'r+'), openSync(place.out, 'r')]
  const child = spawn(program, args, {
    cwd: place.workspace,
    uid: task.uid,
    gid: task.uid,
    env,
    stdio: [input, 'pipe', 'pipe', file, folder],
    timeout: longestMs,
    killSignal: 'SIGKILL'
  })
  for (const fd of [input, file, folder]) closeSync(fd)
  let output = ''
  let errors = ''
  child.stdout?.setEncoding('latin1').on('data', (text: string) => {
    output += text
  })
  child.stderr?.setEncoding('latin1').on('data', (text: string) => {
    errors += text
  })
  const exitCode = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { exitCode, output, errors }
}

/** How attacks are made in this arena. */
export async function attemptsOf(task: ArenaTask, parts: HostParts | null): Promise<Attempts> {
  const prefix = prefixFor(task, parts)
  const host =
    task.backend === 'prepared' && parts !== null ? await PreparedHost.start(parts, task.uid, place.out) : null
  return {
    async make(name, targets) {
      const env = environment(task, targets)
      const argv = [place.attack, name]
      if (host === null) return startByNode(task, inputOf(name), [...prefix, ...argv], env)
      return host.run({ prefix, argv, cwd: place.workspace, env })
    },
    end: async () => host?.end()
  }
}
