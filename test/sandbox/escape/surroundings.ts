// What arenas need of the machine, made before and taken away after: a loop device as the disk, and a control group.

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { cgroupFacts } from '../../../src/cli/doctor/cgroup-facts.js'
import type { FeatureProbe } from '../../setup/features.js'
import type { ArenaTask } from './arena/task.js'

export interface Surroundings {
  readonly disk: ArenaTask['disk']
  readonly cage: ArenaTask['cage']
}

/** In a test it is too late to ask for what comes after all of them. */
const undo: (() => void)[] = []
afterAll(() => {
  for (const one of undo) one()
})

/** Arenas are namespaces of root's with devices in them, and a container may have no loop devices. */
export const arenas: FeatureProbe = () => {
  if (process.getuid?.() !== 0) return 'not root'
  execFileSync('unshare', ['--mount', '--pid', '--net', '--ipc', '--uts', '--fork', '--mount-proc', 'true'], {
    stdio: 'pipe'
  })
  execFileSync('losetup', ['--find'], { stdio: 'pipe' })
  return true
}

function makeDisk(): ArenaTask['disk'] {
  const folder = fs.mkdtempSync(join(tmpdir(), 'arena-disk-'))
  const image = join(folder, 'image')
  fs.writeFileSync(image, Buffer.alloc(1 << 20))
  const path = execFileSync('losetup', ['--find', '--show', image], { encoding: 'utf8' }).trim()
  // The device keeps its image for as long as it is attached.
  fs.rmSync(folder, { recursive: true })
  undo.push(() => execFileSync('losetup', ['--detach', path]))
  const { rdev } = fs.statSync(path)
  return { path, major: (rdev >> 8) & 0xfff, minor: (rdev & 0xff) | ((rdev >> 12) & 0xfff00) }
}

function makeCage(): ArenaTask['cage'] {
  const { folder: own } = cgroupFacts()
  if (own === null) return null
  const mountPoint = fs
    .readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .filter((line) => line.includes(' - cgroup2 '))
    .map((line) => line.split(' ')[4] ?? '')
    .find((point) => own === point || own.startsWith(`${point}/`))
  if (mountPoint === undefined) return null
  const folder = join(own, `escape-${process.pid}`)
  fs.mkdirSync(folder)
  undo.push(() => {
    for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) fs.rmdirSync(join(folder, entry.name))
    }
    fs.rmdirSync(folder)
  })
  return { folder, mountPoint }
}

let made: Surroundings | null = null

/** Once for each test file. */
export function surroundings(): Surroundings {
  made ??= { disk: makeDisk(), cage: makeCage() }
  return made
}
