// Ends commands at random microseconds after their start, in every way there is, and several at once.

import type { ShellExecutor } from '../../src/shell/executor.js'
import type { ShellExecution } from '../../src/shell/types.js'
import type { SubprocessRuntime } from '../../src/subprocess/runtime.js'
import type { Random } from '../subprocess/output/random.js'

/** Long enough that some commands have not been started yet and others run. */
const windowUs = 25_000
const everyWay = ['abort', 'kill', 'deadline'] as const

type Way = (typeof everyWay)[number]

interface Due {
  readonly at: number
  readonly act: () => void
}

export interface Ended {
  readonly ways: readonly Way[]
  readonly execution: ShellExecution
  readonly controller: AbortController
}

/** Each way or not; none at all leaves the command to the disposal. */
function someWays(random: Random): Way[] {
  return everyWay.filter(() => random(2) === 0)
}

async function perform(acts: Due[]): Promise<void> {
  acts.sort((a, b) => a.at - b.at)
  while (acts.length > 0) {
    while (acts[0] !== undefined && acts[0].at <= performance.now()) acts.shift()?.act()
    // A timer would round to milliseconds.
    await new Promise((resolve) => setImmediate(resolve))
  }
}

/** Starts the commands and disposes of their runtime in the middle of it all. */
export async function endAtRandom(
  shell: ShellExecutor,
  runtime: SubprocessRuntime,
  commands: readonly string[],
  env: Readonly<Record<string, string>>,
  random: Random
): Promise<Ended[]> {
  const moment = (): number => performance.now() + random(windowUs) / 1000
  const acts: Due[] = []
  const ended: Ended[] = []
  for (const command of commands) {
    const ways = someWays(random)
    const controller = new AbortController()
    const timeoutMs = ways.includes('deadline') ? (1 + random(windowUs)) / 1000 : 60_000
    const spec = shell.resolve({ command, env, timeoutMs, signal: controller.signal })
    const execution = await shell.execute(spec)
    if (ways.includes('abort')) acts.push({ at: moment(), act: () => controller.abort() })
    if (ways.includes('kill')) acts.push({ at: moment(), act: () => void execution.kill() })
    ended.push({ ways, execution, controller })
  }
  let disposal: Promise<void> | undefined
  acts.push({
    at: moment() + random(2) * 10,
    act: () => {
      disposal = runtime.dispose()
    }
  })
  await perform(acts)
  await disposal
  return ended
}
