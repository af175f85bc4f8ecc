// An arena: process 1 of disposable mount, PID, network, UTS and ipc namespaces. Makes the attacks of its task one after
// the other and tells of each what it changed outside. Ends early once an attack used the arena up.
// Argument: the task as JSON. Environment: ARENA_SECRET.

import { attemptsOf } from './attempt.js'
import { Outside } from './outside.js'
import { assertDisposable, makePlace } from './place.js'
import { differences, lastingSnapshot } from './snapshot.js'
import type { ArenaTask, AttackReport } from './task.js'

const task: ArenaTask = JSON.parse(process.argv[2] ?? '')
const secret = process.env.ARENA_SECRET ?? ''
if (secret === '') throw new Error('no ARENA_SECRET')

function tell(report: AttackReport): void {
  process.stdout.write(`${JSON.stringify(report)}\n`)
}

assertDisposable(task)
const parts = makePlace(task)
const outside = new Outside(task, secret)
await outside.restore()
let before = await outside.snapshot()
const lasting = lastingSnapshot()
const attempts = await attemptsOf(task, parts)

/** Where so much is gone that nobody can look any more, that is what the attack did. */
async function changes(): Promise<{ changed: string[]; usedUp: string[] }> {
  try {
    return { changed: differences(before, await outside.snapshot()), usedUp: differences(lasting, lastingSnapshot()) }
  } catch (error) {
    return { changed: [], usedUp: [String(error)] }
  }
}

for (const name of task.attacks) {
  const { exitCode, output, errors } = await attempts.make(name, outside.targets())
  const { changed, usedUp } = await changes()
  const leaked = output.includes(secret) ? ['the secret was printed'] : []
  tell({
    name,
    began: output.startsWith(`began ${name}\n`),
    exitCode,
    claims: exitCode === 0,
    evidence: [...usedUp, ...changed, ...leaked],
    said: (errors + output).replaceAll(secret, 'SECRET').slice(0, 400)
  })
  if (usedUp.length > 0) break
  if (changed.length > 0) await outside.restore()
  else if (task.mode === 'workspace-write') outside.restoreWorkspace()
  else continue
  before = await outside.snapshot()
}
await attempts.end()
await outside.end()
process.exit(0)
