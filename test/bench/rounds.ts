// Rounds that alternate between contenders, so that whatever else the machine does meets all of them alike.

export interface Sample {
  /** What is compared: more is better, unless the scenario says otherwise. */
  readonly value: number
  /** Further columns of the table, in the scenario's own units. */
  readonly extra?: Readonly<Record<string, number>>
  readonly note?: string
}

export interface Contestant {
  readonly name: string
  sample(): Promise<Sample>
}

/** Samples of one contestant, one for each round. */
export type Series = readonly Sample[]

/** Each round takes every contestant once and begins with another one. */
export async function alternate(
  contestants: readonly Contestant[],
  roundCount: number,
  progress: (text: string) => void
): Promise<Map<string, Series>> {
  const series = new Map<string, Sample[]>(contestants.map(({ name }) => [name, []]))
  for (let round = 0; round < roundCount; round++) {
    for (let turn = 0; turn < contestants.length; turn++) {
      const contestant = contestants[(round + turn) % contestants.length]
      if (!contestant) continue
      progress(`round ${round + 1} of ${roundCount}: ${contestant.name}`)
      series.get(contestant.name)?.push(await contestant.sample())
    }
  }
  return series
}
