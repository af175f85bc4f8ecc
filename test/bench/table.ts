// One scenario as a table for people: medians, and ratios with their spread.

import type { Row, ScenarioReport } from './report.js'
import type { Spread } from './statistics.js'

export function shown(value: number): string {
  if (Number.isInteger(value) || Math.abs(value) >= 100) return value.toFixed(0)
  return value.toFixed(Math.abs(value) >= 10 ? 1 : 2)
}

const median = (spread: Spread | null | undefined): string => (spread ? shown(spread.median) : '-')

export function ratioShown(ratio: Spread | null): string {
  if (!ratio) return '-'
  return `${ratio.median.toFixed(2)} (${ratio.min.toFixed(2)}..${ratio.max.toFixed(2)})`
}

function align(rows: readonly (readonly string[])[]): string[] {
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0))) ?? []
  // Names at the left edge of their column, numbers at the right one.
  const aligned = (cell: string, column: number): string =>
    column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)
  return rows.map((cells) => cells.map(aligned).join('  ').trimEnd())
}

export function table({ title, unit, better, rows }: ScenarioReport): string {
  const extras = [...new Set(rows.flatMap(({ extra }) => Object.keys(extra)))]
  const head = ['', 'waits for', unit, 'to the first (min..max)', ...extras]
  const body = rows.map((row: Row) => [
    row.name,
    row.waitsFor,
    median(row.value),
    ratioShown(row.ratio),
    ...extras.map((name) => median(row.extra[name]))
  ])
  const failures = rows.flatMap(({ name, failures }) => failures.map((failure) => `  ${name} failed: ${failure}`))
  return [`${title} (${better} is better)`, ...align([head, ...body]), ...failures].join('\n')
}
