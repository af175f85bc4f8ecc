// The outside world of an arena, in its own mount namespace: folders on a fresh tmpfs, a /dev of its own with one disk,
// a read-only mount, a covered folder. Needs to be root; nothing here may run in a namespace of the machine.

import { execFileSync } from 'node:child_process'
import { readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type HostParts, installHost } from '../hosting.js'
import type { ArenaTask } from './task.js'

const base = '/srv'
const at = (name: string): string => join(base, name)

export const place = {
  out: at('out'),
  workspace: at('ws'),
  temp: at('tmp'),
  source: at('source'),
  locked: at('locked'),
  covered: at('covered'),
  attack: at('bin/attack'),
  victim: at('bin/victim'),
  package: at('package')
} as const

/** @throws in a namespace of the machine. */
export function assertDisposable({ machine }: ArenaTask): void {
  for (const [kind, ofMachine] of Object.entries(machine)) {
    if (ofMachine.split(' ').includes(readlinkSync(`/proc/self/ns/${kind}`)))
      throw new Error(`the ${kind} namespace is the machine's`)
  }
  if (process.pid !== 1) throw new Error('an arena is process 1 of a namespace of its own')
}

const nodes = ['null c 1 3', 'zero c 1 5', 'full c 1 7', 'random c 1 8', 'urandom c 1 9', 'tty c 5 0']

const script = `
  mount -t tmpfs -o mode=755 arena ${base}
  cd ${base}
  mkdir bin out ws tmp source locked covered dev sys
  cp "$ATTACK" bin/attack
  cp "$VICTIM" bin/victim
  echo source > source/f
  mount --bind source locked
  mount -o remount,bind,ro locked
  echo covered > covered/f
  mount -t tmpfs -o mode=755 arena covered
  mount -t tmpfs -o mode=755 arena dev
  ${nodes.map((node) => `mknod -m 666 dev/${node}`).join('\n  ')}
  mknod -m 600 "dev/$(basename "$DISK")" b $DISK_NUMBERS
  mkdir dev/pts dev/shm
  mount -t devpts -o newinstance,ptmxmode=0666,mode=620 devpts dev/pts
  mount -t tmpfs -o mode=1777 shm dev/shm
  ln -s pts/ptmx dev/ptmx
  ln -s /proc/self/fd dev/fd
  ln -s fd/0 dev/stdin
  ln -s fd/1 dev/stdout
  ln -s fd/2 dev/stderr
  mount --move dev /dev
  mount -t sysfs sysfs sys
  echo 0x9 > sys/class/net/lo/flags
  umount sys
`

/** Hides the machine's own temp folder, from which nothing can be read any more then. */
const coverTemp = 'mount -t tmpfs -o mode=1777 arena /tmp'

/** Everything but what stands in the folders, which is made anew whenever an attack changed it. */
export function makePlace(task: ArenaTask): HostParts | null {
  assertDisposable(task)
  const { programs, disk } = task
  execFileSync('sh', ['-euc', script], {
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      PATH: process.env.PATH,
      ATTACK: programs.attack,
      VICTIM: programs.victim,
      DISK: disk.path,
      DISK_NUMBERS: `${disk.major} ${disk.minor}`
    }
  })
  const host = task.host === null ? null : installHost(place.package, task.host)
  execFileSync('sh', ['-euc', coverTemp])
  return host
}
