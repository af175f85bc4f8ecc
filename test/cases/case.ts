// A case from a public bug report as it stands in cases.jsonl, and which of them can be made with the seams that there are.

import { readFileSync } from 'node:fs'

export interface CaseOptions {
  readonly cwd?: string
  readonly graceMs?: number
  readonly maxBytes?: number
  /** `kill`: leftovers are ended with the call; `keep`: they are counted while they still live. */
  readonly background?: 'kill' | 'keep'
  /** Runs at the same time as the command. */
  readonly parallelWith?: string
  readonly repeat?: number
}

export interface Expectation {
  readonly outcome: string
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

const kinds: ReadonlySet<string> = new Set([
  'pipe-held',
  'orphans',
  'output-truncation',
  'cwd-program',
  'term-escalation',
  'utf8',
  'exit-status'
])

/** These say that a case needs a sandbox, a terminal, a special parent or hands. */
const needsMore = ({ opts, parent, setup, level, manual }: Case): boolean =>
  parent !== undefined ||
  setup !== undefined ||
  level !== undefined ||
  manual === true ||
  ['sandbox', 'backend', 'pty'].some((option) => opts?.[option] !== undefined)

export function loadCases(path: URL): Case[] {
  const lines = readFileSync(path, 'utf8').split('\n')
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as Case)
    .filter((entry) => kinds.has(entry.kind) && !needsMore(entry))
}
