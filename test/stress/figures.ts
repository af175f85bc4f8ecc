// A bound on time that a busy machine does not break by itself: the median of several runs stands for the program, and a
// single run may be late by what the machine did meanwhile, up to a hard bound that only a fault exceeds.

import { expect } from 'vitest'

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}

export function expectWithin(values: readonly number[], boundMs: number, hardBoundMs: number): void {
  const told = values.map((value) => value.toFixed(1)).join(', ')
  expect(median(values), `the median of ${told}`).toBeLessThanOrEqual(boundMs)
  expect(Math.max(...values), `the longest of ${told}`).toBeLessThanOrEqual(hardBoundMs)
}
