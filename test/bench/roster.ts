// Who takes part on this machine: every entrant is asked to introduce itself, and one that cannot is left out with a line.

import { join } from 'node:path'
import { type Entrant, entrants } from './entrants.js'
import type { Ability, AnySample, Introduction, Order } from './measure/contender.js'
import { nativeProgram } from './native-programs.js'
import { buildFolder } from './places.js'
import { outputOf } from './processes.js'

export interface Contender extends Entrant, Introduction {
  sample<T extends AnySample>(order: Order): Promise<T>
}

export interface Limit {
  readonly waitsFor: string
  /** `1` when each of its commands has a cgroup of its own. */
  readonly cgroup: '0' | '1'
  readonly bash: string
}

export interface Roster {
  readonly contenders: readonly Contender[]
  /** `null` where plain C cannot be compiled or does not run. */
  readonly limit: Limit | null
  readonly absent: readonly string[]
}

export const able = (roster: Roster, ability: Ability): Contender[] =>
  roster.contenders.filter(({ abilities }) => abilities.includes(ability))

/** The last line that is more than a stack frame, a version or a brace, as runtimes end their reports with such. */
function reasonOf(error: unknown): string {
  const text = error instanceof Error && 'stderr' in error ? `${error.message}\n${error.stderr}` : String(error)
  return text.split('\n').findLast((line) => /error/i.test(line)) ?? text.split('\n')[0] ?? text
}

async function introduced(entrant: Entrant, runtime: readonly string[]): Promise<Contender> {
  const [program = '', ...args] = runtime
  const file = join(buildFolder, 'contenders', `${entrant.name}.mjs`)
  const sample = async <T extends AnySample>(order: Order): Promise<T> =>
    JSON.parse(await outputOf(program, [...args, file, JSON.stringify(order)])) as T
  return { ...entrant, ...(await sample<Introduction>({ kind: 'introduce' })), sample }
}

/** With a cgroup for each command if that works here, which is then what this library does too. */
async function findLimit(absent: string[]): Promise<Limit | null> {
  try {
    const program = nativeProgram('limit')
    const bash = await outputOf('bash', ['-c', 'type -P bash'])
    const works = (cgroup: string): Promise<boolean> =>
      outputOf(program, ['0.01', '1', cgroup, bash, '-c', ':']).then(
        () => true,
        () => false
      )
    if (await works('1')) return { waitsFor: 'child, pipes, own cgroup', cgroup: '1', bash }
    if (await works('0')) return { waitsFor: 'child and its pipes', cgroup: '0', bash }
    absent.push('plain C: it does not run here')
  } catch (error) {
    absent.push(`plain C: ${reasonOf(error)}`)
  }
  return null
}

export async function callRoll(progress: (text: string) => void): Promise<Roster> {
  const contenders: Contender[] = []
  const absent: string[] = []
  for (const entrant of entrants()) {
    progress(`who is here: ${entrant.name}`)
    if (entrant.runtime === null) {
      absent.push(`${entrant.name}: not installed`)
      continue
    }
    await introduced(entrant, entrant.runtime).then(
      (contender) => contenders.push(contender),
      (error) => absent.push(`${entrant.name}: ${reasonOf(error)}`)
    )
  }
  return { contenders, limit: await findLimit(absent), absent }
}
