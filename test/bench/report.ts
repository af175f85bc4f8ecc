// The results of one scenario as an object for programs: what bench-results/*.json holds and everything else is made from.

import type { Sample, Scenario, Series } from './rounds.js'
import { type Spread, spreadOf } from './statistics.js'

export interface Row {
  readonly name: string
  readonly waitsFor: string
  /** `null` when the contestant failed in every round. */
  readonly value: Spread | null
  /** To the first contestant, round by round. */
  readonly ratio: Spread | null
  readonly extra: Readonly<Record<string, Spread>>
  readonly failures: readonly string[]
  readonly samples: readonly (Sample | null)[]
}

export interface ScenarioReport {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly better: 'more' | 'less'
  readonly rows: readonly Row[]
}

const spreadOrNull = (values: readonly number[]): Spread | null => (values.length === 0 ? null : spreadOf(values))

function ratiosOf(samples: Series['samples'], reference: Series['samples']): number[] {
  return samples.flatMap((sample, round) => {
    const held = reference[round]
    return sample && held ? sample.value / held.value : []
  })
}

function extrasOf(taken: readonly Sample[]): Record<string, Spread> {
  const names = Object.keys(taken[0]?.extra ?? {})
  return Object.fromEntries(
    names.map((name) => [name, spreadOf(taken.map(({ extra }) => extra?.[name] ?? Number.NaN))])
  )
}

export function reportOf({ name, title, unit, better }: Scenario, results: readonly Series[]): ScenarioReport {
  const reference = results[0]?.samples ?? []
  const rows = results.map(({ contestant, samples, failures }) => {
    const taken = samples.filter((sample) => sample !== null)
    return {
      name: contestant.title,
      waitsFor: contestant.waitsFor,
      value: spreadOrNull(taken.map(({ value }) => value)),
      ratio: spreadOrNull(ratiosOf(samples, reference)),
      extra: extrasOf(taken),
      failures: [...new Set(failures)],
      samples
    }
  })
  return { name, title, unit, better, rows }
}
