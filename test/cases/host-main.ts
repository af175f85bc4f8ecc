// A host of its own for one case: does what the case asks of its parent, performs the case and writes what it saw.
// Arguments: the task as JSON, and the file for the observations.

import { writeFileSync } from 'node:fs'
import { threadId } from 'node:worker_threads'
import type { SandboxOptions, SubprocessOptions } from '../../src/context/options.js'
import type { Case } from './case.js'
import { parents } from './host-parents.js'
import { type Observation, performCase } from './perform-case.js'

export interface HostTask {
  readonly entry: Case
  readonly subprocess: SubprocessOptions
  /** One of `parents`; absent: nothing is special inside of the host. */
  readonly parent?: keyof typeof parents | undefined
  readonly sandbox?: SandboxOptions | undefined
}

/** Errors and results as JSON keeps them. */
function plain({ error, ...seen }: Observation): object {
  if (error === null) return { ...seen, error }
  const { name, message, code, stage } = error
  return { ...seen, error: { name, message, code, stage } }
}

async function main(task: HostTask, report: string): Promise<void> {
  const perform = (): Promise<Observation[]> => performCase(task.entry, task.subprocess, 0, task.sandbox)
  const act = task.parent === undefined ? perform : parents[task.parent]
  const seen = await act(perform, task)
  writeFileSync(report, JSON.stringify(seen.map(plain)))
}

// In a worker only the modules are wanted.
const [, , task, report] = process.argv
if (threadId === 0 && task !== undefined && report !== undefined) await main(JSON.parse(task), report)
