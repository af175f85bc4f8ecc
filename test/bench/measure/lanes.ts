// A number of commands in flight, and the warm-up that every contender gets before anything is counted.

import type { Contender } from './contender.js'

/** Keeps `concurrency` bodies in flight for as long as `next` says so. */
export async function inLanes(concurrency: number, next: () => boolean, body: () => Promise<void>): Promise<void> {
  const lane = async (): Promise<void> => {
    while (next()) await body()
  }
  await Promise.all(Array.from({ length: concurrency }, lane))
}

/** `count` commands, `concurrency` at a time. */
export function runMany(count: number, concurrency: number, contender: Pick<Contender, 'command'>): Promise<void> {
  let left = count
  return inLanes(
    concurrency,
    () => left-- > 0,
    () => contender.command()
  )
}

/** Long enough for the compiler of every runtime here to be done with what a command takes. */
export const warmUp = (contender: Pick<Contender, 'command'>): Promise<void> => runMany(300, 8, contender)

/** For what is not about the cost of a command: everything is loaded and has run. */
export const wakeUp = (contender: Contender): Promise<void> => runMany(50, 8, contender)
