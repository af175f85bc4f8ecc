// What of a whole run the chart of the README shows: a figure for each panel, with a bar for each contestant.

import type { ScenarioReport } from '../report.js'
import type { Run } from '../run.js'

export interface Figure {
  readonly title: string
  readonly unit: string
  readonly better: 'more' | 'less'
  /** Medians, in the order of the run. */
  readonly bars: readonly { readonly name: string; readonly median: number }[]
}

/** The scenario, and the column if it is not the one that is compared. */
interface Source {
  readonly scenario: string
  readonly column?: string
  readonly title: string
  readonly unit: string
}

const sources: readonly Source[] = [
  { scenario: 'throughput-1', title: '1 at a time', unit: 'commands/s' },
  { scenario: 'throughput-8', title: '8 at a time', unit: 'commands/s' },
  { scenario: 'throughput-64', title: '64 at a time', unit: 'commands/s' },
  { scenario: 'throughput-8-1gib', title: '8 at a time, host with 1 GiB in use', unit: 'commands/s' },
  { scenario: 'throughput-8-1gib', column: 'lag p99 ms', title: 'event-loop lag p99 meanwhile', unit: 'ms' },
  { scenario: 'flood-1', title: 'output of one flooding command', unit: 'MB/s' }
]

/** @throws Error when the run has no such scenario. */
export function scenarioOf({ reports }: Run, name: string): ScenarioReport {
  const report = reports.find((one) => one.name === name)
  if (!report) throw new Error(`the run has no scenario ${name}`)
  return report
}

export function figuresOf(run: Run): Figure[] {
  return sources.map(({ scenario, column, title, unit }) => {
    const { better, rows } = scenarioOf(run, scenario)
    const bars = rows.flatMap((row) => {
      const spread = column === undefined ? row.value : row.extra[column]
      return spread && !row.name.startsWith('idle') ? [{ name: row.name, median: spread.median }] : []
    })
    return { title, unit, better: column === undefined ? better : 'less', bars }
  })
}
