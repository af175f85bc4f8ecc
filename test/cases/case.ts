// A case from a public bug report as it stands in cases.jsonl.

import { readFileSync } from 'node:fs'

export interface CaseOptions {
  readonly cwd?: string
  readonly graceMs?: number
  readonly maxBytes?: number
  /** `kill`: leftovers are ended with the call; `keep`: they are counted while they still live; `true`: nobody waits. */
  readonly background?: 'kill' | 'keep' | true
  /** Runs at the same time as the command. */
  readonly parallelWith?: string
  readonly repeat?: number
  readonly commandFillerBytes?: number
  /** What only some cases set, read by the tests of those. */
  readonly stdinBytes?: number
  readonly spillMaxBytes?: number
  readonly stopAfterMs?: number
  readonly pauseReaderMs?: number
  readonly testHookPrepDelayMs?: number
}

export interface Expectation {
  readonly outcome?: string
  readonly [word: string]: unknown
}

export interface Case {
  readonly id: string
  readonly kind: string
  readonly command: string
  readonly timeoutMs?: number
  readonly opts?: CaseOptions & Readonly<Record<string, unknown>>
  readonly parent?: string
  readonly setup?: string
  readonly level?: string
  readonly manual?: boolean
  readonly expect: Expectation
}

export const allCases: readonly Case[] = readFileSync(new URL('./cases.jsonl', import.meta.url), 'utf8')
  .split('\n')
  .filter((line) => line.trim() !== '')
  .map((line) => JSON.parse(line) as Case)

export function caseOf(id: string): Case {
  const found = allCases.find((entry) => entry.id === id)
  if (found === undefined) throw new Error(`there is no case ${id}`)
  return found
}

export const titleOf = ({ id, kind, command }: Case): string =>
  `${id} (${kind}): ${JSON.stringify(command).slice(0, 90)}`

/** Cases that say all there is to set in words which `performCase` knows, and need nothing around them. */
export const plainCaseIds: readonly string[] = [
  ...['B01', 'B02', 'B04', 'B05'],
  ...['B06', 'B07', 'B09', 'B10', 'B12', 'B13', 'L01'],
  ...['B29', 'B30', 'B32', 'B33', 'B35', 'B36'],
  ...['B43', 'B44', 'L07', 'B55', 'B56', 'B66', 'B67'],
  ...['B68', 'B69', 'L09', 'B71', 'B72', 'B74'],
  ...['B85', 'B86', 'B90', 'B95', 'B103', 'B112']
]
