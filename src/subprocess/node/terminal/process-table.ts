// What /proc tells of processes: who is whose child, in which group and session, and since when, which together with the
// number is an identity.

import * as fs from 'node:fs'

export interface ProcessFacts {
  readonly pid: number
  readonly parent: number
  readonly group: number
  readonly session: number
  /** The foreground group of its terminal; -1 without one. */
  readonly foreground: number
  /** Clock ticks since boot. */
  readonly start: string
  /** It has ended, and only its parent has not heard of it. */
  readonly zombie: boolean
}

/** `null` if there is no such process, or none that may be looked at. */
export function processFacts(pid: number): ProcessFacts | null {
  let text: string
  try {
    text = fs.readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return null
  }
  // The name may hold anything, parentheses and spaces included; the fields that can be counted come after its last one.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const [state = 'X', parent, group, session, , foreground] = fields
  return {
    pid,
    parent: Number(parent),
    group: Number(group),
    session: Number(session),
    foreground: Number(foreground),
    start: fields[19] ?? '',
    zombie: 'ZXx'.includes(state)
  }
}

/** All that can be seen. */
export function allProcesses(): ProcessFacts[] {
  return numbersIn('/proc').flatMap((pid) => processFacts(pid) ?? [])
}

/** `pid` and everything below it, without looking at any other process. */
export function treeBelow(pid: number): number[] {
  const tree = [pid]
  for (const parent of tree) for (const child of childrenOf(parent)) if (!tree.includes(child)) tree.push(child)
  return tree
}

function childrenOf(pid: number): number[] {
  return numbersIn(`/proc/${pid}/task`).flatMap((thread) => {
    try {
      return fs.readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').split(' ').filter(Boolean).map(Number)
    } catch {
      return []
    }
  })
}

export function numbersIn(folder: string): number[] {
  try {
    return fs
      .readdirSync(folder)
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}
