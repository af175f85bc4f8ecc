// What a host keeps of very many commands that are over.

import type { Contender } from './contender.js'
import { collectGarbage } from './garbage.js'
import { childCount, descriptorCount, residentBytes, threadCount } from './host-state.js'
import { runMany } from './lanes.js'

export interface GrowthOrder {
  /** The first ones, in which a young process grows to its working size. */
  readonly firstCount: number
  readonly count: number
  readonly concurrency: number
}

interface State {
  readonly residentBytes: number
  readonly descriptors: number
  readonly threads: number
  readonly children: number
}

export interface GrowthSample {
  readonly perSecond: number
  readonly before: State
  readonly after: State
}

function state(): State {
  collectGarbage()
  return {
    residentBytes: residentBytes(),
    descriptors: descriptorCount(),
    threads: threadCount(),
    children: childCount()
  }
}

export async function measureGrowth(order: GrowthOrder, contender: Contender): Promise<GrowthSample> {
  await runMany(order.firstCount, order.concurrency, contender)
  const before = state()
  const begin = performance.now()
  await runMany(order.count, order.concurrency, contender)
  const perSecond = (order.count * 1000) / (performance.now() - begin)
  return { perSecond, before, after: state() }
}
