// The figures of a whole run as Markdown tables: a row for each contestant, a column for each scenario or part of one.

import type { Row } from '../report.js'
import type { Run } from '../run.js'
import { ratioShown, shown } from '../table.js'
import { scenarioOf } from './figures.js'

interface Column {
  readonly title: string
  readonly scenario: string
  cell(row: Row): string
}

const median = (row: Row): string => (row.value ? shown(row.value.median) : 'failed')

const value = (scenario: string, title: string): Column => ({ title, scenario, cell: median })

const extra = (scenario: string, title: string, ...names: readonly string[]): Column => ({
  title,
  scenario,
  cell: ({ extra: spreads }) => {
    const cells = names.flatMap((name) => (spreads[name] ? shown(spreads[name].median) : []))
    return cells.length === 0 ? '-' : cells.join(' / ')
  }
})

const commands: readonly Column[] = [
  { title: 'waits for', scenario: 'throughput-8', cell: ({ waitsFor }) => waitsFor },
  value('throughput-1', '1 at a time'),
  value('throughput-8', '8 at a time'),
  { title: 'to plain C (min..max)', scenario: 'throughput-8', cell: ({ ratio }) => ratioShown(ratio) },
  value('throughput-64', '64 at a time'),
  value('throughput-8-1gib', '8 at a time, 1 GiB in use'),
  extra('throughput-8-1gib', 'lag p99 meanwhile, ms', 'lag p99 ms')
]

const rest: readonly Column[] = [
  extra('throughput-1', 'one command, p50 / p99 ms', 'one p50 ms', 'one p99 ms'),
  value('flood-1', 'one flood, MB/s'),
  value('flood-8', 'eight floods, MB/s'),
  value('spill', 'into a file, MB/s'),
  value('background', 'a live command, KiB'),
  value('import', 'import, ms')
]

const ends: readonly Column[] = [10, 200, 500].map((count) => value(`kill-${count}`, `${count} processes, ms`))

const sandbox: readonly Column[] = [
  value('sandbox-latency', 'one command, ms'),
  extra('sandbox-latency', 'more than unconfined beside it, ms', 'added ms'),
  value('sandbox-throughput-8', 'commands/s, 8 at a time'),
  { title: 'to unconfined (min..max)', scenario: 'sandbox-throughput-8', cell: ({ ratio }) => ratioShown(ratio) }
]

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

function markdown(run: Run, columns: readonly Column[], left: (name: string) => boolean): string {
  const rowsOf = ({ scenario }: Column): readonly Row[] => scenarioOf(run, scenario).rows
  const names = [...new Set(columns.flatMap(rowsOf).map(({ name }) => name))].filter(left)
  const cells = (name: string): string[] =>
    columns.map((column) => {
      const row = rowsOf(column).find((one) => one.name === name)
      return row ? column.cell(row) : '-'
    })
  return [
    line(['', ...columns.map(({ title }) => title)]),
    line(['---', ...columns.map(({ title }) => (title === 'waits for' ? '---' : '---:'))]),
    ...names.map((name) => line([name, ...cells(name)]))
  ].join('\n')
}

/** One after the other, each below the sentence that says what it shows. */
export function tablesOf(run: Run): string[] {
  const contenders = (name: string): boolean => !name.startsWith('idle') && !name.startsWith('an empty')
  return [
    'Commands a second (`bash -c :`, both streams captured), and how long the event loop stood still:',
    markdown(run, commands, contenders),
    'One command alone, output of which the last 64,000 bytes are kept, memory of the host for each live command, and the import:',
    markdown(run, rest, contenders),
    'From KILL until all processes of a tree that ignores TERM are known to be gone:',
    markdown(run, ends, contenders),
    'The same command in a sandbox that lets it write to one folder:',
    markdown(run, sandbox, contenders)
  ]
}
