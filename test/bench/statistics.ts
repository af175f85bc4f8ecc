// Medians and spreads of a handful of rounds.

export interface Spread {
  readonly median: number
  readonly min: number
  readonly max: number
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? Number.NaN
  const middle = sorted.length / 2
  const median = sorted.length % 2 === 1 ? at(Math.floor(middle)) : (at(middle - 1) + at(middle)) / 2
  return { median, min: at(0), max: at(sorted.length - 1) }
}
