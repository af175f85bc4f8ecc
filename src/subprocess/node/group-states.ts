// What the process groups of this machine consist of, by one look at /proc. A group of zombies only is as good as empty:
// they run nothing and only wait for a parent that may never come (a container without a reaping init).

import * as fs from 'node:fs'

/** For each group that has a visible member: whether one of them is more than a zombie. Null if /proc tells nothing. */
export function groupsWithLife(): ReadonlyMap<number, boolean> | null {
  if (process.platform !== 'linux') return null
  const groups = new Map<number, boolean>()
  try {
    for (const name of fs.readdirSync('/proc')) {
      const first = name.charCodeAt(0)
      if (first < 48 || first > 57) continue
      const member = readMember(name)
      if (member !== null) groups.set(member.group, member.alive || groups.get(member.group) === true)
    }
  } catch {
    // "Cannot tell" is never taken for empty.
    return null
  }
  return groups
}

/** Whether the process has ended and only its parent has not heard of it. False where /proc tells nothing. */
export function isZombie(pid: number): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readMember(String(pid))?.alive === false
  } catch {
    return false
  }
}

function readMember(pid: string): { readonly group: number; readonly alive: boolean } | null {
  const text = readStat(pid)
  if (text === null) return null
  // The name before it may hold anything, parentheses and spaces included; after the last one come state, parent, group.
  const [state = '', , group] = text.slice(text.lastIndexOf(')') + 2).split(' ', 3)
  return { group: Number(group), alive: !'ZXx'.includes(state) }
}

function readStat(pid: string): string | null {
  try {
    return fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // It ended between the listing and the look.
    if (code === 'ENOENT' || code === 'ESRCH') return null
    throw error
  }
}
