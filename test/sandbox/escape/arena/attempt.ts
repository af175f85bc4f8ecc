// Makes one attack, confined by a backend: as its user, in the workspace, with what it aims at in its environment.

import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { launchers } from '../backends.js'
import { hiddenFiles, hiddenFolders } from './folders.js'
import { place } from './place.js'
import type { ArenaTask } from './task.js'

export interface Attempt {
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

const longestMs = 20_000

export function argvOf(task: ArenaTask, name: string): string[] {
  const roots = [place.workspace, place.temp]
  const prefix = launchers[task.backend](task.mode, { runner: place.runner, roots, hiddenFolders, hiddenFiles })
  return [...prefix, place.attack, name]
}

function environment({ machine, disk, cage }: ArenaTask, targets: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const all: Record<string, string> = {
    ...{ MACHINE_MNT: machine.mnt, MACHINE_PID: machine.pid, MACHINE_NET: machine.net },
    ...{ OUT: place.out, WS: place.workspace, TMP: place.temp, LOCKED: place.locked, COVERED: place.covered },
    ...{ DISK: disk.path, HOST: '1' },
    ...(cage === null ? {} : { CAGE: cage.folder, CAGE_NAME: `.${cage.folder.slice(cage.mountPoint.length)}` }),
    ...targets
  }
  const entries = Object.entries(all).map(([name, value]) => [`ATTACK_${name}`, value])
  return { PATH: process.env.PATH, ...Object.fromEntries(entries) }
}

export async function attempt(
  task: ArenaTask,
  name: string,
  targets: Readonly<Record<string, string>>
): Promise<Attempt> {
  const [program = '', ...args] = argvOf(task, name)
  const [input, file, folder] = [
    openSync(join(place.out, 'stdin'), 'r'),
    openSync(join(place.out, 'f'), 'r+'),
    openSync(place.out, 'r')
  ]
  const child = spawn(program, args, {
    cwd: place.workspace,
    uid: task.uid,
    gid: task.uid,
    env: environment(task, targets),
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
