// Where cgroup v2 is mounted in this process, read once.

import * as fs from 'node:fs'
import { type CgroupMount, findCgroupMount } from '../../local/cgroup-mount.js'

let found: CgroupMount | null | undefined

export function cgroupMount(): CgroupMount | null {
  if (found === undefined) found = findCgroupMount(read('/proc/self/mountinfo'))
  return found
}

function read(path: string): string {
  try {
    return fs.readFileSync(path, 'utf8')
  } catch {
    // Not Linux, or no /proc: nothing is mounted then.
    return ''
  }
}
