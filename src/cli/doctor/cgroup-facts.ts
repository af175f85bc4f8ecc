// Where this process stands in the cgroup v2 tree, from /proc alone, and whether folders can be made there.

import { accessSync, constants, existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

export interface CgroupFacts {
  /** Where cgroup v2 is mounted; `null` if it is not. */
  readonly mount: string | null
  /** The folder of this process below the mount; `null` if it cannot be seen there. */
  readonly folder: string | null
  readonly writable: boolean
  /** The folder has `cgroup.kill` (Linux 5.14); `null` where that cannot be told: the root folder never has it. */
  readonly kill: boolean | null
}

/** The mount point and the part of the tree that it shows (proc_pid_mountinfo(5): fields 4, 5 and those after the dash). */
function findMount(mountinfo: string): { mount: string; root: string } | null {
  for (const line of mountinfo.split('\n')) {
    const [before, after] = line.split(' - ')
    const [, , , root, mount] = before?.split(' ') ?? []
    if (after?.startsWith('cgroup2 ') && root !== undefined && mount !== undefined) {
      return { mount: unescapePath(mount), root: unescapePath(root) }
    }
  }
  return null
}

/** mountinfo writes blanks and the like as three octal digits. */
function unescapePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)))
}

/** `root` is what the mount shows; a process outside of it has no folder there. */
function folderBelow(mount: string, root: string, own: string): string | null {
  if (root === '/') return join(mount, own)
  return own === root || own.startsWith(`${root}/`) ? join(mount, own.slice(root.length)) : null
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
  const found = findMount(mountinfo)
  const own = /^0::(.*)$/m.exec(ownCgroups)?.[1]
  const folder = found !== null && own !== undefined ? folderBelow(found.mount, found.root, own) : null
  return {
    mount: found?.mount ?? null,
    folder,
    writable: folder !== null && isWritable(folder),
    kill: folder === null || own === '/' ? null : existsSync(join(folder, 'cgroup.kill'))
  }
}
