// Runs inside: performs the checks that its arguments name, and prints what each has told as one JSON object.

import { deadlines, disposal, exitingHost, hostExit, leftover, politeness, races } from './endings.js'
import { likeness } from './likeness.js'
import { brokenHosts, commandsOfHost, lostManager } from './managers.js'

const [, program = '', ...names] = process.argv

const checks: Readonly<Record<string, () => object | Promise<object>>> = {
  likeness,
  leftover,
  politeness,
  races: () => races(60),
  deadlines,
  disposal,
  hostExit: () => hostExit(program),
  brokenHosts: () => brokenHosts(program, ['fails silently', 'fails with words', 'does not know an option']),
  worseHosts: () => brokenHosts(program, ['runs the command where it is', 'hangs']),
  lostManager
}

const patienceMs = 40_000

async function tell(name: string): Promise<unknown> {
  const late = new Promise((resolve) => setTimeout(() => resolve(`no end of ${name}`), patienceMs).unref())
  try {
    return await Promise.race([checks[name]?.(), late])
  } catch (error) {
    return (error as Error).stack
  }
}

if (names[0] === 'exitingHost') {
  await exitingHost(names[1] ?? '')
} else if (names[0] === 'commandsOfHost') {
  console.log(JSON.stringify(await commandsOfHost()))
} else {
  const told: Record<string, unknown> = {}
  for (const name of names) told[name] = await tell(name)
  console.log(JSON.stringify(told))
  // What a check that has not come to an end still waits for.
  process.exit()
}
