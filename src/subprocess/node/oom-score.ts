// How willingly the kernel ends a command when memory runs out: before the host, which holds everybody's work. The rule
// is that of native/spawn/oom_score.h; here the host writes for the command, right after the start.

import * as fs from 'node:fs'

const aboveHost = 500
const largest = 1000

let score: string | undefined

/** Read once: a host is given its value when it is started. */
function commandScore(): string {
  score ??= String(
    Math.min(Math.max(Number(fs.readFileSync('/proc/self/oom_score_adj', 'latin1')), 0) + aboveHost, largest)
  )
  return score
}

/** What the command has started before this keeps the host's value; that takes a program that starts faster than this. */
export function preferForOom(pid: number): void {
  if (process.platform !== 'linux') return
  try {
    fs.writeFileSync(`/proc/${pid}/oom_score_adj`, commandScore())
  } catch {
    // It has ended already, runs as another user, or there is no /proc: it keeps the host's value.
  }
}
