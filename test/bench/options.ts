// The command line of the bench.

import { parseArgs } from 'node:util'

export const usage = `npm run bench -- [options]

  --quick         less of everything, two rounds: for trying the bench out
  --only NAME     the scenarios whose name contains NAME
  --rounds N      alternating rounds (3)
  --publish       draw docs/benchmark.svg and the figures in README.md; needs all scenarios at full length
  --from FILE     measure nothing, take a file of bench-results instead
  --help          this text`

export interface Options {
  readonly quick: boolean
  readonly only: string | undefined
  readonly roundCount: number
  readonly publish: boolean
  readonly from: string | undefined
  readonly help: boolean
}

/** @throws Error that says what is wrong. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      quick: { type: 'boolean', default: false },
      only: { type: 'string' },
      rounds: { type: 'string' },
      publish: { type: 'boolean', default: false },
      from: { type: 'string' },
      help: { type: 'boolean', default: false }
    }
  })
  const { quick, only, publish, from, help } = values
  const roundCount = Number(values.rounds ?? (quick ? 2 : 3))
  if (!Number.isInteger(roundCount) || roundCount < 1) throw new Error(`--rounds takes a count, not ${values.rounds}`)
  if (publish && (quick || only !== undefined))
    throw new Error('--publish takes the whole bench: no --quick, no --only')
  return { quick, only, roundCount, publish, from, help }
}
