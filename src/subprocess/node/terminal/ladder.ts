// How a terminal is ended: first what the direct command has started, TERM and after the grace KILL; then the direct command
// itself; then whoever appeared meanwhile. Interactive shells ignore TERM, so they get the hang-up that closing means.

import { setTimeout as sleep } from 'node:timers/promises'
import { cleanupFailed } from '../../../errors/terminal-texts.js'
import type { TerminalMembers } from './members.js'
import { type ProcessFacts, processFacts } from './process-table.js'

const pollMs = 25
/** KILL needs a moment on a loaded machine. */
const killPatienceMs = 1000

export interface Ended {
  readonly members: TerminalMembers
  readonly root: ProcessFacts
  /** The direct command has been reaped. */
  exited(): boolean
  readonly graceMs: number
}

/** @throws Error `terminal cleanup failed; surviving pid(s): …` */
export async function endTerminal({ members, root, exited, graceMs }: Ended): Promise<void> {
  const alone = (): boolean => members.others().length === 0
  for (const process of members.others()) members.signal(process, 'SIGTERM', 'SIGCONT')
  await until(alone, graceMs)
  await sweep()
  if (!exited()) {
    members.signal(root, 'SIGHUP', 'SIGTERM', 'SIGCONT')
    if (!(await until(exited, graceMs))) {
      members.signal(root, 'SIGKILL')
      await until(exited, killPatienceMs)
    }
    await sweep()
  }
  const survivors = members.others().map(({ pid }) => pid)
  if (!exited() && processFacts(root.pid)?.zombie === false) survivors.unshift(root.pid)
  if (survivors.length > 0) throw cleanupFailed(survivors)

  function sweep(): Promise<boolean> {
    return until(() => {
      const left = members.others()
      for (const process of left) members.signal(process, 'SIGKILL')
      return left.length === 0
    }, killPatienceMs)
  }
}

async function until(condition: () => boolean, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (!condition()) {
    if (performance.now() >= end) return false
    await sleep(pollMs)
  }
  return true
}
