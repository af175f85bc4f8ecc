// The figures of the README, between two markers: nothing there is written by hand, and all of it is of one run.

import { machineLine } from '../machine.js'
import type { Row } from '../report.js'
import type { Run } from '../run.js'
import { shown } from '../table.js'
import { type Figure, figuresOf, scenarioOf } from './figures.js'

const begin = '<!-- figures: begin (npm run bench -- --publish) -->'
const end = '<!-- figures: end -->'

function comparison(figures: readonly Figure[]): string {
  const names = [...new Set(figures.flatMap(({ bars }) => bars.map(({ name }) => name)))]
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`
  const cell = (figure: Figure, name: string): string => {
    const bar = figure.bars.find((one) => one.name === name)
    return bar ? shown(bar.spread.median) : '-'
  }
  return [
    line(['', ...figures.map(({ title, unit }) => `${title} (${unit})`)]),
    line(['---', ...figures.map(() => '---:')]),
    ...names.map((name) => line([name, ...figures.map((figure) => cell(figure, name))]))
  ].join('\n')
}

const value = ({ value: spread }: Row): string => (spread ? shown(spread.median) : 'failed')

/** `name value` of each row, for the scenarios that have too few rows for the table. */
function inWords(run: Run, scenario: string): string {
  const { unit, rows } = scenarioOf(run, scenario)
  return rows.map((row) => `${row.name} ${value(row)} ${unit}`).join(', ')
}

function further(run: Run): string {
  const kills = ['kill-10', 'kill-200', 'kill-500'].map(
    (name) => `  - ${name.slice(5)} processes: ${inWords(run, name)}`
  )
  const one = scenarioOf(run, 'throughput-1').rows.flatMap(({ name, extra }) => {
    const [p50, p99] = [extra['one p50 ms'], extra['one p99 ms']]
    return p50 && p99 ? `${name} ${shown(p50.median)} (${shown(p99.median)})` : []
  })
  return [
    `- One command, p50 (p99) in ms: ${one.join(', ')}.`,
    `- Flood through eight streams at once: ${inWords(run, 'flood-8')}.`,
    `- All of a stream into a file: ${inWords(run, 'spill')}.`,
    '- From KILL until a whole tree that ignores TERM is known to be gone:',
    ...kills,
    `- Memory of the host for each of ${scenarioOf(run, 'background').title.split(' ')[0]} live commands: ${inWords(run, 'background')}.`,
    `- Time to import: ${inWords(run, 'import')}.`,
    `- ${scenarioOf(run, 'growth').title}: ${inWords(run, 'growth')}.`
  ].join('\n')
}

export function withFigures(readme: string, run: Run): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`README.md has no place for the figures: ${begin} … ${end}`)
  const text = [
    '![Commands a second, event-loop lag and flood rate of quiesce beside plain C and other libraries](docs/benchmark.svg)',
    `One run on ${run.date.slice(0, 10)}, medians of ${run.roundCount} alternating rounds: ${machineLine(run.machine)}.`,
    comparison(figuresOf(run)),
    further(run)
  ].join('\n\n')
  return `${readme.slice(0, from + begin.length)}\n\n${text}\n\n${readme.slice(to)}`
}
