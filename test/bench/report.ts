// The results as a table for people and as an object for programs.

import type { Sample, Series } from './rounds.js'
import type { Scenario } from './scenarios.js'
import { type Spread, spreadOf } from './statistics.js'

export interface Row {
  readonly name: string
  readonly value: Spread
  /** To the first contestant, round by round. */
  readonly ratio: Spread
  readonly extra: Readonly<Record<string, Spread>>
  readonly notes: readonly string[]
  readonly samples: readonly Sample[]
}

export interface ScenarioReport {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly rows: readonly Row[]
}

function extrasOf(series: Series): Record<string, Spread> {
  const names = Object.keys(series[0]?.extra ?? {})
  return Object.fromEntries(
    names.map((name) => [name, spreadOf(series.map(({ extra }) => extra?.[name] ?? Number.NaN))])
  )
}

export function reportOf(scenario: Scenario, results: ReadonlyMap<string, Series>): ScenarioReport {
  const reference = results.get(scenario.contestants[0]?.name ?? '') ?? []
  const rows = [...results].map(([name, samples]) => ({
    name,
    value: spreadOf(samples.map(({ value }) => value)),
    ratio: spreadOf(samples.map(({ value }, round) => value / (reference[round]?.value ?? Number.NaN))),
    extra: extrasOf(samples),
    notes: [...new Set(samples.flatMap(({ note }) => note ?? []))],
    samples
  }))
  return { name: scenario.name, title: scenario.title, unit: scenario.unit, rows }
}

const shown = (value: number): string => (value >= 100 ? value.toFixed(0) : value.toFixed(2))
const ratioShown = ({ median, min, max }: Spread): string =>
  `${median.toFixed(2)} (${min.toFixed(2)}..${max.toFixed(2)})`

export function table(report: ScenarioReport): string {
  const extras = [...new Set(report.rows.flatMap(({ extra }) => Object.keys(extra)))]
  const head = ['', report.unit, 'to the first (min..max)', ...extras]
  const body = report.rows.map((row) => [
    row.name,
    shown(row.value.median),
    ratioShown(row.ratio),
    ...extras.map((name) => (row.extra[name] ? shown(row.extra[name].median) : '-'))
  ])
  const widths = head.map((_, column) => Math.max(...[head, ...body].map((cells) => cells[column]?.length ?? 0)))
  const line = (cells: string[]): string =>
    cells
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ')
  const notes = report.rows.flatMap(({ name, notes }) => notes.map((note) => `  ${name}: ${note}`))
  return [report.title, line(head), ...body.map(line), ...notes].join('\n')
}
