// The figures of the README, between two markers: nothing there is written by hand, and all of it is of one run.

import { machineLine } from '../machine.js'
import type { Run } from '../run.js'
import { shown } from '../table.js'
import { scenarioOf } from './figures.js'
import { tablesOf } from './readme-tables.js'

const begin = '<!-- figures: begin (npm run bench -- --publish) -->'
const end = '<!-- figures: end -->'

function growthSentences(run: Run): string[] {
  const { title, unit, rows } = scenarioOf(run, 'growth')
  return rows.flatMap(({ name, value }) => (value ? `${title}: ${name} ${shown(value.median)} ${unit}.` : []))
}

/** @throws Error when the markers are not there. */
export function withFigures(readme: string, run: Run): string {
  const [from, to] = [readme.indexOf(begin), readme.indexOf(end)]
  if (from < 0 || to < from) throw new Error(`README.md has no place for the figures: ${begin} … ${end}`)
  const text = [
    '![Bars: commands a second, event-loop lag and output rate of quiesce, plain C and other libraries](docs/benchmark.svg)',
    `One run on ${run.date.slice(0, 10)}, medians of ${run.roundCount} alternating rounds. ${machineLine(run.machine)}.`,
    ...tablesOf(run),
    ...growthSentences(run)
  ].join('\n\n')
  return `${readme.slice(0, from + begin.length)}\n\n${text}\n\n${readme.slice(to)}`
}
