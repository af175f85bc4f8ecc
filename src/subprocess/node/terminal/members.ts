// Which processes belong to a terminal: the tree below its direct command, the session of that, and whoever was one of them
// before. Each is its number and its start time together, so a number that somebody else has got means nothing.

import { allProcesses, type ProcessFacts, processFacts } from './process-table.js'

export class TerminalMembers {
  readonly #root: ProcessFacts
  /** Start times by number. */
  readonly #adopted = new Map<number, string>()

  constructor(root: ProcessFacts) {
    this.#root = root
  }

  /** Those that run now, the direct command not among them. */
  others(): ProcessFacts[] {
    const all = new Map(allProcesses().map((process) => [process.pid, process]))
    for (const [pid, start] of this.#adopted) if (all.get(pid)?.start !== start) this.#adopted.delete(pid)
    const holder = all.get(this.#root.pid)
    // While a session has members its number is not given to a new process; so either it is still free, or it is the first.
    const known = holder === undefined || holder.start === this.#root.start
    const roots = new Set([...this.#adopted.keys(), ...(known && holder ? [holder.pid] : [])])
    for (const process of all.values()) {
      if (process.pid === this.#root.pid) continue
      const inSession = known && process.session === this.#root.pid
      if (inSession || hasAncestor(process, roots, all)) this.#adopted.set(process.pid, process.start)
    }
    return [...this.#adopted.keys()].flatMap((pid) => {
      const process = all.get(pid)
      return process === undefined || process.zombie ? [] : [process]
    })
  }

  /** Signals `process` if the number still means the same one. */
  signal(process: ProcessFacts, ...signals: readonly NodeJS.Signals[]): void {
    const now = processFacts(process.pid)
    if (now === null || now.start !== process.start) return
    for (const signal of signals) send(process.pid, signal)
  }
}

function hasAncestor(
  process: ProcessFacts,
  roots: ReadonlySet<number>,
  all: ReadonlyMap<number, ProcessFacts>
): boolean {
  const seen = new Set<number>()
  for (let { parent } = process; !seen.has(parent); ) {
    if (roots.has(parent)) return true
    seen.add(parent)
    const next = all.get(parent)
    if (next === undefined) return false
    parent = next.parent
  }
  return false
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch {
    // It has ended meanwhile, or may not be signalled: then it is found among the survivors.
  }
}
