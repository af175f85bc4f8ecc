// The words of `expect`, each as a check of an observation. A word that is not known here fails its case.

import { expect } from 'vitest'
import { signalNumber } from '../../src/shell/signal-names.js'
import type { ShellRunResult } from '../../src/shell/types.js'
import type { Expectation } from './case.js'
import type { Observation } from './perform-case.js'

type Check = (seen: Observation, wanted: never, all: Expectation) => void

/** The step of a failed start that a subject means. */
const stages: Readonly<Record<string, string>> = { cwd: 'chdir', program: 'exec', shell: 'exec', fork: 'clone' }

function resultOf(seen: Observation): ShellRunResult {
  if (seen.result === null) throw seen.error ?? new Error('there is no result')
  return seen.result
}

const out = (seen: Observation): string => resultOf(seen).stdout.text
const err = (seen: Observation): string => resultOf(seen).stderr.text
const total = (seen: Observation): number => resultOf(seen).stdout.totalBytes

function measuredOf<T>(seen: Observation, word: string): T {
  const value = seen.measured?.[word]
  if (value === undefined) throw new Error(`nobody measured ${word}`)
  return value as T
}

/** What was measured must be exactly that. */
const exactly =
  (word: string): Check =>
  (seen, wanted) =>
    expect(measuredOf(seen, word), word).toEqual(wanted)

const atMost =
  (word: string): Check =>
  (seen, wanted: number) =>
    expect(measuredOf<number>(seen, word), word).toBeLessThanOrEqual(wanted)

/** What a result calls the facts that the cases ask for by names of their own. */
const fields: Readonly<Record<string, (result: ShellRunResult) => unknown>> = {
  containment: ({ range }) => range,
  sandboxBackend: ({ sandbox }) => sandbox?.backend,
  // What the version of Landlock comes to: what it leaves open on this kernel.
  landlockAbi: ({ sandbox }) => sandbox?.notGoverned
}

const checks: Readonly<Record<string, Check>> = {
  outcome: (seen, wanted: string, all) => expect([wanted, all.orOutcome], String(seen.error)).toContain(seen.outcome),
  orOutcome: () => undefined,
  exitCode: (seen, wanted: number | null, all) => {
    // Where the other outcome came there is no result.
    if (seen.outcome !== all.orOutcome) expect(resultOf(seen).exitCode).toBe(wanted)
  },
  exitCodeNot: (seen, wanted: number) => expect(resultOf(seen).exitCode).not.toBe(wanted),
  signal: (seen, wanted: string | null) => expect(resultOf(seen).signal).toBe(wanted),
  killedBy: (seen, wanted: string) => expect(resultOf(seen).signal).toBe(wanted),
  ok: (seen, wanted: boolean) => expect(resultOf(seen).exitCode === 0).toBe(wanted),
  hint: (seen, wanted: string) => expect(`inner-signal-${signalNumber(resultOf(seen).innerSignal ?? '')}`).toBe(wanted),
  stdoutEquals: (seen, wanted: string) => expect(out(seen)).toBe(wanted),
  stderrEquals: (seen, wanted: string) => expect(err(seen)).toBe(wanted),
  stdoutContains: (seen, wanted: string[]) => {
    for (const text of wanted) expect(out(seen)).toContain(text)
  },
  stderrContains: (seen, wanted: string[]) => {
    for (const text of wanted) expect(err(seen)).toContain(text)
  },
  stdoutNotContains: (seen, wanted: string[]) => {
    for (const text of wanted) expect(out(seen)).not.toContain(text)
  },
  stdoutMatches: (seen, wanted: string) => expect(out(seen)).toMatch(new RegExp(wanted)),
  tailContains: (seen, wanted: string) => expect(out(seen).slice(-wanted.length - 200)).toContain(wanted),
  onlyChars: (seen, wanted: string) =>
    expect([...new Set(out(seen))].filter((character) => !wanted.includes(character))).toEqual([]),
  noReplacementChars: (seen, wanted: boolean) => expect(!(out(seen) + err(seen)).includes('\ufffd')).toBe(wanted),
  totalBytes: (seen, wanted: number) => expect(total(seen)).toBe(wanted),
  totalBytesMax: (seen, wanted: number) => expect(total(seen)).toBeLessThanOrEqual(wanted),
  truncated: (seen, wanted: boolean) =>
    expect(resultOf(seen).stdout.truncated || resultOf(seen).stderr.truncated).toBe(wanted),
  returnsWithinMs: (seen, wanted: number) => expect(seen.tookMs).toBeLessThan(wanted),
  returnsAfterMs: (seen, wanted: number) => expect(seen.tookMs).toBeGreaterThanOrEqual(wanted),
  errorCode: (seen, wanted: string) => expect(seen.error?.code).toBe(wanted),
  errorSubject: (seen, wanted: string) => expect(seen.error?.stage).toBe(stages[wanted]),
  errorMentions: (seen, wanted: string[]) => {
    for (const text of wanted) expect(seen.error?.message).toContain(text)
  },
  survivors: (seen, wanted: number) => expect(seen.survivors).toHaveLength(wanted),
  commandStarted: (seen, wanted: boolean) => expect(seen.result !== null).toBe(wanted),
  resultFields: (seen, wanted: string[]) => {
    for (const name of wanted) expect(fields[name]?.(resultOf(seen)), name).toBeDefined()
  },
  leftovers: (seen, wanted: number) => {
    expect(resultOf(seen).quiescent).toBe(wanted === 0)
    expect(seen.survivors).toHaveLength(wanted)
  },
  unkillable: (seen, wanted: boolean) => {
    const { exitCode, signal, quiescent } = resultOf(seen)
    expect(exitCode === null && signal === null && !quiescent).toBe(wanted)
  },
  survivorsReported: (seen, wanted: boolean) => expect(!resultOf(seen).quiescent).toBe(wanted),
  // Whoever tells of an observation is alive; a host of its own must have exited with 0 too.
  parentAlive: () => undefined,
  sandboxDenied: (seen, wanted: boolean) => expect(resultOf(seen).sandbox?.denied).toBe(wanted),
  neverUnsandboxed: (seen, wanted: boolean) =>
    expect(seen.result === null || seen.result.sandbox?.enforcement !== undefined).toBe(wanted),
  workspaceUnchanged: exactly('workspaceUnchanged'),
  outsideUnchanged: exactly('outsideUnchanged'),
  parentStillCanWriteOutside: exactly('parentStillCanWriteOutside'),
  zombiesAddedBelowUs: exactly('zombiesAddedBelowUs'),
  alsoNodeChildrenExitEventsSeen: exactly('alsoNodeChildrenExitEventsSeen'),
  exitEventDelivered: exactly('exitEventDelivered'),
  combinedEquals: (seen, wanted: string) => {
    expect(out(seen)).toBe(wanted)
    expect(err(seen)).toBe('')
  },
  allExecutableFilesMode: exactly('allExecutableFilesMode'),
  afterParentSigkill: exactly('afterParentSigkill'),
  childProcessesOfHelper: exactly('childProcessesOfHelper'),
  errors: exactly('errors'),
  leftoverCgroups: exactly('leftoverCgroups'),
  leftoverUnits: exactly('leftoverUnits'),
  spillBytesMax: atMost('spillBytesMax'),
  parentCpuMsMax: atMost('parentCpuMsMax'),
  maxProcesses: atMost('maxProcesses'),
  maxEventLoopBlockMs: atMost('maxEventLoopBlockMs'),
  maxRssGrowthMB: atMost('maxRssGrowthMB'),
  medianOverheadMsMax: atMost('medianOverheadMsMax'),
  stdinWritten: (seen, wanted: string) =>
    expect(measuredOf<number>(seen, 'stdinWritten')).toBeLessThan(Number(wanted.replace('less than ', ''))),
  // A limit that the documentation names stands in the result too.
  documentedLimit: (seen) => {
    const { enforcement, notGoverned } = resultOf(seen).sandbox ?? {}
    expect({ enforcement, notGoverned }).toEqual({
      enforcement: 'partial',
      notGoverned: expect.arrayContaining(['file metadata'])
    })
  },
  // How often, which is seen to by whoever performs the case.
  repeat: () => undefined,
  // Checked by a call of its own.
  throwsSync: () => undefined
}

export function checkCase(seen: Observation, expectation: Expectation): void {
  for (const [word, wanted] of Object.entries(expectation)) {
    const check = checks[word]
    if (!check) throw new Error(`the word ${JSON.stringify(word)} of this case is not known`)
    check(seen, wanted as never, expectation)
  }
}
