// What the declarations of the package mention, its users can name.

import { readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../setup/source-imports.js'

const dist = join(root, 'dist')

/** What a subclass inside this package implements, and no caller meets. */
const inside = new Set([
  ...['DriverEvents', 'PreparedSpawn', 'ProcessDriver', 'LocalSubprocessRuntime'],
  ...['LocalTerminal', 'PreparedTerminal', 'OwnedTerminal']
])

interface Clause {
  readonly names: string[]
  readonly file: string
}

/** The `export … from` or `import … from` clauses of a declaration file that lead to another one. */
function clauses(file: string, word: 'import' | 'export'): Clause[] {
  const pattern = new RegExp(`^${word} (?:type )?(?:\\{([^}]*)\\}|\\*) from '(\\.[^']*)\\.js'`, 'gm')
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map(([, list, path]) => {
    const target = join(file, '..', `${path}.d.ts`)
    return { names: list === undefined ? declared(target) : list.split(',').map(plain), file: target }
  })
}

const plain = (name: string): string => name.trim().replace(/^type /, '')

function declared(file: string): string[] {
  const pattern = /^export (?:declare )?(?:abstract )?(?:interface|type|class|const|function) (\w+)/gm
  return [...readFileSync(file, 'utf8').matchAll(pattern)].map((match) => match[1] ?? '')
}

/** Each entry with those whose users have the other one's names too. */
const entries = { 'index.d.ts': [], 'tool/index.d.ts': ['index.d.ts'], 'dsh/index.d.ts': ['index.d.ts'] }

it.each(Object.entries(entries))('exports every type that a declaration behind %s mentions', (entry, others) => {
  const exported = clauses(join(dist, entry), 'export')
  const nameable = [...exported, ...others.flatMap((other) => clauses(join(dist, other), 'export'))]
  const known = new Set([...nameable.flatMap(({ names }) => names), ...inside])
  const missing = [...new Set(exported.map(({ file }) => file))].flatMap((file) =>
    clauses(file, 'import')
      .flatMap(({ names }) => names)
      .filter((name) => !known.has(name))
      .map((name) => `${name}, mentioned in ${relative(dist, file)}`)
  )
  expect({ missing, exported: exported.length > 0 && known.has('createContext') }).toEqual({
    missing: [],
    exported: true
  })
})
