// What this host still holds after very many commands. One round: it is the length that counts, and the figure is absolute.

import type { GrowthSample } from '../measure/growth.js'
import type { Roster } from '../roster.js'
import type { Scenario } from '../rounds.js'

export function growth(roster: Roster, count: number): Scenario {
  const order = { kind: 'growth', firstCount: Math.min(2000, count / 10), count, concurrency: 8 } as const
  const contestants = roster.contenders
    .filter(({ name }) => name === 'quiesce-spawn')
    .map((contender) => ({
      title: contender.title,
      waitsFor: contender.waitsFor,
      sample: async () => {
        const { before, after, perSecond } = await contender.sample<GrowthSample>(order)
        const extra = {
          'fds more': after.descriptors - before.descriptors,
          'threads more': after.threads - before.threads,
          'children more': after.children - before.children,
          'commands/s': perSecond
        }
        return { value: (after.residentBytes - before.residentBytes) / 2 ** 20, extra }
      }
    }))
  return {
    name: 'growth',
    title: `${count} commands after the first ${order.firstCount}, 8 at a time: resident memory more than before them`,
    unit: 'MiB',
    better: 'less',
    contestants,
    maxRounds: 1
  }
}
