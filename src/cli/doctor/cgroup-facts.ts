// Where this process stands in the cgroup v2 tree, from /proc alone, and whether folders can be made there.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { cgroupPath, findCgroupMount, folderOf } from '../../subprocess/local/cgroup-mount.js'

export interface CgroupFacts {
  /** Where cgroup v2 is mounted; `null` if it is not. */
  readonly mount: string | null
  /** The folder of this process below the mount; `null` if it cannot be seen there. */
  readonly folder: string | null
  readonly writable: boolean
  /** The folder has `cgroup.kill` (Linux 5.14); `null` where that cannot be told: the root folder never has it. */
  readonly kill: boolean | null
}

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK)
    return true
  } catch {
    return false
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not Linux, or no /proc: there is nothing to find.
    return ''
  }
}

export function cgroupFacts(
  mountinfo: string = readText('/proc/self/mountinfo'),
  ownCgroups: string = readText('/proc/self/cgroup')
): CgroupFacts {
  const found = findCgroupMount(mountinfo)
  const own = cgroupPath(ownCgroups)
  const folder = found !== null && own !== null ? folderOf(own, found) : null
  return {
    mount: found?.mount ?? null,
    folder,
    writable: folder !== null && isWritable(folder),
    kill: folder === null || own === '/' ? null : existsSync(join(folder, 'cgroup.kill'))
  }
}
