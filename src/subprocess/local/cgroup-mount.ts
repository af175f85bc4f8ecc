// Where a cgroup of cgroup v2 lies as a folder in the eyes of this process.

import { join } from 'node:path'

export interface CgroupMount {
  readonly mount: string
  /** The part of the tree that the mount shows. */
  readonly root: string
}

/** From the text of /proc/self/mountinfo (proc_pid_mountinfo(5): fields 4, 5 and those after the dash). */
export function findCgroupMount(mountinfo: string): CgroupMount | null {
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

/** The folder of the cgroup `path` (as in /proc/PID/cgroup); `null` for one outside of what the mount shows. */
export function folderOf(path: string, { mount, root }: CgroupMount): string | null {
  if (root === '/') return join(mount, path)
  return path === root || path.startsWith(`${root}/`) ? join(mount, path.slice(root.length)) : null
}

/** The cgroup v2 line of /proc/PID/cgroup. */
export function cgroupPath(cgroups: string): string | null {
  return /^0::(.*)$/m.exec(cgroups)?.[1] ?? null
}
