// A contender is a program of its own: it gets an order as JSON in its first argument and prints its sample as JSON.
// What it cannot do it leaves out, and no scenario asks it for that.

import { type BackgroundOrder, type BackgroundSample, type LiveCommand, measureBackground } from './background.js'
import { type FloodOrder, type FloodSample, measureFlood } from './flood.js'
import { type GrowthOrder, type GrowthSample, measureGrowth } from './growth.js'
import { type KilledTree, type KillOrder, type KillSample, measureKill } from './kill.js'
import { measureSpill, type SpillOrder, type SpillSample } from './spill.js'
import { measureThroughput, type ThroughputOrder, type ThroughputSample } from './throughput.js'

export interface Contender {
  /** Until when a command is waited for, in a few words. */
  readonly waitsFor: string
  /** Runs `bash -c :` with both streams captured. */
  command(): Promise<void>
  /** Collects both streams of a flooding program; gives the number of bytes that passed through standard output. */
  flood(argv: readonly string[]): Promise<number>
  /** As `flood`, with the whole stream kept in a file; gives the path of that file. */
  spill?(argv: readonly string[], bytes: number): Promise<string>
  /** Starts a command that stays, with both streams captured. */
  start?(argv: readonly string[]): LiveCommand
  /** Starts a tree of processes, TERM and `graceMs` later KILL for all of it at hand. */
  tree?(argv: readonly string[], graceMs: number): KilledTree
  /** What is worth knowing beside the figures. */
  readonly note?: string
  dispose?(): Promise<void>
}

export type Ability = 'command' | 'flood' | 'spill' | 'start' | 'tree'

/** The answer to the order `introduce`, given after one command that proves that the contender works here. */
export interface Introduction {
  readonly waitsFor: string
  readonly abilities: readonly Ability[]
  readonly note?: string
}

export type Order =
  | { readonly kind: 'introduce' }
  | ({ readonly kind: 'throughput' } & ThroughputOrder)
  | ({ readonly kind: 'flood' } & FloodOrder)
  | ({ readonly kind: 'spill' } & SpillOrder)
  | ({ readonly kind: 'background' } & BackgroundOrder)
  | ({ readonly kind: 'kill' } & KillOrder)
  | ({ readonly kind: 'growth' } & GrowthOrder)

export type AnySample =
  | Introduction
  | ThroughputSample
  | FloodSample
  | SpillSample
  | BackgroundSample
  | KillSample
  | GrowthSample

const allAbilities: readonly Ability[] = ['command', 'flood', 'spill', 'start', 'tree']

async function introduce(contender: Contender): Promise<Introduction> {
  await contender.command()
  const { waitsFor, note } = contender
  const abilities = allAbilities.filter((ability) => contender[ability] !== undefined)
  return { waitsFor, abilities, ...(note === undefined ? {} : { note }) }
}

function measure(contender: Contender, order: Order): Promise<AnySample> {
  switch (order.kind) {
    case 'introduce':
      return introduce(contender)
    case 'throughput':
      return measureThroughput(order, contender)
    case 'flood':
      return measureFlood(order, contender)
    case 'spill':
      return measureSpill(order, contender)
    case 'background':
      return measureBackground(order, contender)
    case 'kill':
      return measureKill(order, contender)
    case 'growth':
      return measureGrowth(order, contender)
  }
}

export async function runContender(contender: Contender): Promise<void> {
  const order: Order = JSON.parse(process.argv[2] ?? '')
  const sample = await measure(contender, order)
  await contender.dispose?.()
  console.log(JSON.stringify(sample))
}
