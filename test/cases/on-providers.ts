// Makes a case that needs code of its own into one test for each provider, checked by the same words as all others.

import { describe, it } from 'vitest'
import type { SubprocessOptions } from '../../src/context/options.js'
import { loadAddon } from '../../src/native/load.js'
import type { RangeKind } from '../../src/subprocess/types.js'
import { type FeatureTest, feature } from '../setup/features.js'
import { type Case, caseOf, titleOf } from './case.js'
import { checkCase } from './check-case.js'
import type { Observation } from './perform-case.js'

/** Set where the cases are run for one kind of range, which this machine has only in a place of its own. */
const ranges = process.env.TEST_RANGES?.split(',') as RangeKind[] | undefined

export const providers: readonly SubprocessOptions[] =
  ranges !== undefined
    ? [{ provider: 'native', ranges }]
    : [
        { provider: 'node', ranges: ['group'] },
        { provider: 'native', ranges: ['group'] },
        { provider: 'native', ranges: ['supervisor'] },
        { provider: 'native', ranges: ['cgroup'] }
      ]

export const loads = (): true => loadAddon() && true

export type CaseBody = (entry: Case, subprocess: SubprocessOptions) => Promise<Observation>

interface Particulars {
  /** Said after the title: where this case is met in another way than its words. */
  readonly note?: string
  /** Only providers that this accepts. */
  readonly on?: (subprocess: SubprocessOptions) => boolean
  /** Facts that replace those of the file, with the reason in `note`. */
  readonly instead?: Readonly<Record<string, unknown>>
  /** What the machine must have: its name, and the probe. */
  readonly needs?: readonly [string, () => true | string]
}

/** Timed cases get a second try: the machine may be held up by other work. */
const timed = ['returnsWithinMs', 'maxEventLoopBlockMs', 'medianOverheadMsMax', 'maxRssGrowthMB']

/** A fact of `instead` that is undefined is none. */
function withFacts(entry: Case, instead: Readonly<Record<string, unknown>>): Case {
  const facts = Object.entries({ ...entry.expect, ...instead }).filter(([, wanted]) => wanted !== undefined)
  return { ...entry, expect: Object.fromEntries(facts) }
}

function testOn({ provider }: SubprocessOptions, needs: Particulars['needs']): FeatureTest {
  if (needs !== undefined) {
    const [what, probe] = needs
    return feature(`${what} (${provider})`, () => (provider === 'native' ? loads() && probe() : probe()))
  }
  if (provider === 'native') return feature('the native addon', loads)
  return (title, body) => void it(title, async () => void (await body()))
}

export function caseOnProviders(id: string, body: CaseBody, particulars: Particulars = {}): void {
  const { note, on = () => true, instead = {}, needs } = particulars
  const entry = withFacts(caseOf(id), instead)
  const title = titleOf(entry) + (note === undefined ? '' : `, ${note}`)
  describe(title, () => {
    for (const subprocess of providers.filter(on)) {
      const name = `on ${subprocess.provider} (${subprocess.ranges})`
      const test = testOn(subprocess, needs)
      test(name, async () => {
        const attempt = async (): Promise<void> => checkCase(await body(entry, subprocess), entry.expect)
        if (timed.some((word) => entry.expect[word] !== undefined)) await attempt().catch(attempt)
        else await attempt()
      })
    }
  })
}

export const onNode = ({ provider }: SubprocessOptions): boolean => provider === 'node'
export const onNative = ({ provider }: SubprocessOptions): boolean => provider === 'native'
export const onGroups = ({ ranges }: SubprocessOptions): boolean => ranges?.includes('group') === true
export const onCgroups = ({ ranges }: SubprocessOptions): boolean => ranges?.includes('cgroup') === true
