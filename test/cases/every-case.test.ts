// No case is forgotten: each is a test of this folder, or stands among those that are left out.

import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { allCases, plainCaseIds } from './case.js'
import { leftOut } from './left-out.js'

/** The ids that tests name in their calls. */
function namedInTests(): string[] {
  const folder = new URL('./', import.meta.url)
  const files = readdirSync(folder).filter((name) => name.endsWith('.test.ts'))
  return files.flatMap((name) => {
    const calls = readFileSync(new URL(name, folder), 'utf8').matchAll(/\b(?:caseOn\w+|caseOf)\(\s*'([BL]\d+)'/g)
    return [...calls].map((call) => call[1] ?? '')
  })
}

it('each case of the file is a test or left out with its reason, and none is both', () => {
  const tested = new Set([...plainCaseIds, ...namedInTests()])
  const ids = allCases.map(({ id }) => id)
  expect({
    neither: ids.filter((id) => !tested.has(id) && !leftOut.has(id)),
    both: ids.filter((id) => tested.has(id) && leftOut.has(id)),
    unknown: [...tested, ...leftOut.keys()].filter((id) => !ids.includes(id))
  }).toEqual({ neither: [], both: [], unknown: [] })
})
