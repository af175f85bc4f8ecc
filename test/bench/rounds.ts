// Rounds that alternate between contestants, so that whatever else the machine does meets all of them alike.

export interface Sample {
  /** What is compared. */
  readonly value: number
  /** Further columns of the table, in the scenario's own units. */
  readonly extra?: Readonly<Record<string, number>>
}

export interface Contestant {
  readonly title: string
  /** Until when a command is waited for. */
  readonly waitsFor: string
  sample(): Promise<Sample>
}

export interface Scenario {
  readonly name: string
  readonly title: string
  readonly unit: string
  readonly better: 'more' | 'less'
  /** The first is the one that the others are held against. */
  readonly contestants: readonly Contestant[]
  /** Fewer rounds than asked for, where a round takes very long. */
  readonly maxRounds?: number
}

/** One for each round, `null` where the contestant failed. */
export interface Series {
  readonly contestant: Contestant
  readonly samples: (Sample | null)[]
  readonly failures: string[]
}

async function takeTurn({ contestant, samples, failures }: Series): Promise<void> {
  try {
    samples.push(await contestant.sample())
  } catch (error) {
    // One that fails once does not take a quarter of an hour of the others with it.
    samples.push(null)
    failures.push(error instanceof Error ? error.message : String(error))
  }
}

/** Each round takes every contestant once and begins with another one. */
export async function alternate(
  { contestants, maxRounds = Number.POSITIVE_INFINITY }: Scenario,
  roundCount: number,
  progress: (text: string) => void
): Promise<Series[]> {
  const series: Series[] = contestants.map((contestant) => ({ contestant, samples: [], failures: [] }))
  const rounds = Math.min(roundCount, maxRounds)
  for (let round = 0; round < rounds; round++) {
    for (let turn = 0; turn < series.length; turn++) {
      const one = series[(round + turn) % series.length]
      if (!one) continue
      progress(`round ${round + 1} of ${rounds}: ${one.contestant.title}`)
      await takeTurn(one)
    }
  }
  return series
}
