// npm run bench [-- --quick] [--only NAME] [--rounds N]: measures, prints tables, and writes bench-results/<time>.json.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { parseArgs } from 'node:util'
import { describeMachine, machineLine } from './machine.js'
import { resultsFolder, root } from './places.js'
import { reportOf, type ScenarioReport, table } from './report.js'
import { alternate } from './rounds.js'
import { scenarios } from './scenarios.js'

const { values } = parseArgs({
  options: { quick: { type: 'boolean', default: false }, only: { type: 'string' }, rounds: { type: 'string' } }
})
const roundCount = Number(values.rounds ?? (values.quick ? 2 : 5))
const chosen = scenarios(values.quick).filter(({ name }) => values.only === undefined || name.includes(values.only))
if (chosen.length === 0 || !Number.isInteger(roundCount) || roundCount < 1) {
  const names = scenarios(values.quick).map(({ name }) => name)
  console.error(`nothing to measure: --only takes a part of ${names.join(', ')}; --rounds takes a count`)
  process.exit(2)
}

/** Overwritten in place on a terminal, nothing in a log. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

const machine = describeMachine()
console.log(`${machineLine(machine)}\nmedians of ${roundCount} alternating rounds\n`)
const reports: ScenarioReport[] = []
for (const scenario of chosen) {
  const results = await alternate(scenario.contestants, roundCount, (text) => progress(`${scenario.name}: ${text}`))
  progress('')
  const report = reportOf(scenario, results)
  reports.push(report)
  console.log(`${table(report)}\n`)
}

mkdirSync(resultsFolder, { recursive: true })
const file = join(resultsFolder, `${new Date().toISOString().replaceAll(':', '-')}.json`)
writeFileSync(file, `${JSON.stringify({ machine, roundCount, quick: values.quick, reports }, null, 2)}\n`)
console.log(`written to ${relative(root, file)}`)
