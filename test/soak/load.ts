// Keeps 64 commands running until time or count is up. A command that does not come to its end is told and given up, so
// that a hang is a result of the soak and not its end.

import type { Kind, Scene } from './attempt.js'
import { inLanes } from './host-state.js'
import type { Tally } from './tally.js'

const laneCount = 64
/** Many times what the slowest kind takes on a busy machine. */
const hangMs = 60_000

export interface Load {
  readonly scene: Scene
  readonly kinds: Readonly<Record<string, Kind>>
  readonly tally: Tally
  readonly commandCount: number
  readonly until: number
}

/** Each name as often as its weight says. */
function lottery(kinds: Load['kinds']): readonly [string, Kind][] {
  return Object.entries(kinds).flatMap((entry) => Array<[string, Kind]>(entry[1].weight).fill(entry))
}

async function inTime(work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no end within ${hangMs} ms`)), hangMs)
  })
  await Promise.race([work, hang]).finally(() => clearTimeout(timer))
}

export async function load({ scene, kinds, tally, commandCount, until }: Load): Promise<void> {
  const lots = lottery(kinds)
  let left = commandCount
  const one = async (): Promise<void> => {
    const [name, kind] = lots[scene.random(lots.length)] as [string, Kind]
    const startedAt = performance.now()
    const problem = await inTime(kind.attempt(scene)).then(
      () => null,
      (error: unknown) => (error instanceof Error ? error.message : String(error))
    )
    tally.add(name, performance.now() - startedAt, problem)
  }
  await inLanes(laneCount, () => (left-- > 0 && performance.now() < until ? one() : null))
}
