// One run of the bench: what took part, on which machine, and a report for each scenario.

import { describeMachine, type Machine, machineLine } from './machine.js'
import type { Options } from './options.js'
import { reportOf, type ScenarioReport } from './report.js'
import { callRoll, type Roster } from './roster.js'
import { alternate } from './rounds.js'
import { scenarios } from './scenarios/index.js'
import { table } from './table.js'

export interface Run {
  readonly date: string
  readonly machine: Machine
  readonly roundCount: number
  /** All scenarios at their full length. */
  readonly whole: boolean
  readonly absent: readonly string[]
  readonly reports: readonly ScenarioReport[]
}

/** Overwritten in place on a terminal, nothing in a log. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
}

function describeRoster({ contenders, absent }: Roster): string {
  const notes = contenders.flatMap(({ title, note }) => (note === undefined ? [] : [`${title}: ${note}`]))
  return [...notes, ...absent.map((line) => `left out: ${line}`)].map((line) => `${line}\n`).join('')
}

/** Prints each table as soon as it is there. @throws Error when no scenario has the name asked for. */
export async function measure({ quick, only, roundCount }: Options): Promise<Run> {
  const machine = describeMachine()
  const roster = await callRoll(progress)
  const all = scenarios(roster, quick)
  const chosen = all.filter(({ name }) => only === undefined || name.includes(only))
  if (chosen.length === 0) {
    throw new Error(`--only takes a part of ${all.map(({ name }) => name).join(', ')}`)
  }
  progress('')
  console.log(`${machineLine(machine)}\nmedians of ${roundCount} alternating rounds\n${describeRoster(roster)}`)
  const reports: ScenarioReport[] = []
  for (const scenario of chosen) {
    const results = await alternate(scenario, roundCount, (text) => progress(`${scenario.name}: ${text}`))
    progress('')
    const report = reportOf(scenario, results)
    reports.push(report)
    console.log(`${table(report)}\n`)
  }
  const whole = !quick && chosen.length === all.length
  return { date: new Date().toISOString(), machine, roundCount, whole, absent: roster.absent, reports }
}
