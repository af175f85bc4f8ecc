// Counts what was run, kind by kind, and keeps the first few things that were wrong.

const keptProblems = 20

interface Row {
  count: number
  failed: number
  totalMs: number
  longestMs: number
}

export class Tally {
  readonly problems: string[] = []
  readonly #rows = new Map<string, Row>()

  get count(): number {
    return this.#sum('count')
  }

  get failed(): number {
    return this.#sum('failed')
  }

  add(kind: string, tookMs: number, problem: string | null): void {
    const row = this.#rows.get(kind) ?? { count: 0, failed: 0, totalMs: 0, longestMs: 0 }
    this.#rows.set(kind, row)
    row.count++
    row.totalMs += tookMs
    row.longestMs = Math.max(row.longestMs, tookMs)
    if (problem === null) return
    row.failed++
    if (this.problems.length < keptProblems) this.problems.push(`${kind}: ${problem}`)
  }

  table(): string[][] {
    const rows = [...this.#rows].sort(([a], [b]) => a.localeCompare(b))
    return [
      ['kind', 'commands', 'wrong', 'mean ms', 'longest ms'],
      ...rows.map(([kind, { count, failed, totalMs, longestMs }]) =>
        [kind, count, failed, (totalMs / count).toFixed(0), longestMs.toFixed(0)].map(String)
      )
    ]
  }

  #sum(field: 'count' | 'failed'): number {
    return [...this.#rows.values()].reduce((sum, row) => sum + row[field], 0)
  }
}
