// The documentation names every attack, and every one that a backend does not stop.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { cCompiler } from '../../fixtures/compiled.js'
import { feature } from '../../setup/features.js'
import { root } from '../../setup/source-imports.js'
import { allAttacks } from './attack-list.js'
import { limits } from './limits.js'
import { attacksTable, limitsTable } from './limits-table.js'

const test = feature('a C compiler', cCompiler)
const page = readFileSync(join(root, 'docs/sandbox-attacks.md'), 'utf8')

test('each limit is one of an attack that there is', () => {
  const names = new Set(allAttacks().map(({ name }) => name))
  expect(limits.flatMap(({ attacks }) => attacks).filter((name) => !names.has(name))).toEqual([])
})

test('the page about attacks shows the table of limits', () => {
  expect(page).toContain(limitsTable())
})

test('the page about attacks says what each attack does', () => {
  expect(page).toContain(attacksTable(allAttacks()))
})
