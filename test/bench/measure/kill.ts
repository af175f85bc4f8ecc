// How long it takes until a tree of processes is known to be gone: once for a tree that obeys TERM, once for one that has
// to be killed, counted from the KILL that follows the grace.

import type { Contender } from './contender.js'
import { wakeUp } from './lanes.js'

export interface KillOrder {
  /** The program, to which the word `obey` or `ignore` is appended. It prints a line when the whole tree is there. */
  readonly argv: readonly string[]
  readonly graceMs: number
}

export interface KilledTree {
  /** Settles with the first output of the tree. */
  readonly ready: Promise<void>
  /** Asks for the end of the whole tree; settles when it is known to be gone. */
  end(): Promise<void>
}

export interface KillSample {
  readonly afterTermMs: number
  /** Over the grace. */
  readonly afterKillMs: number
}

async function endOf(tree: KilledTree): Promise<number> {
  await tree.ready
  const begin = performance.now()
  await tree.end()
  return performance.now() - begin
}

export async function measureKill({ argv, graceMs }: KillOrder, contender: Contender): Promise<KillSample> {
  if (!contender.tree) throw new Error('ends no trees')
  const tree = contender.tree.bind(contender)
  await wakeUp(contender)
  // A contender that waits for the grace although nothing is left shows it here.
  const afterTermMs = await endOf(tree([...argv, 'obey'], graceMs))
  const afterKillMs = (await endOf(tree([...argv, 'ignore'], graceMs))) - graceMs
  return { afterTermMs, afterKillMs }
}
