// The table of limits as docs/sandbox-attacks.md shows it.

import type { Attack } from './attack-list.js'
import { type Limit, limits } from './limits.js'

const code = (names: readonly string[]): string => names.map((name) => `\`${name}\``).join(', ')

function row({ attacks, backends, mode, user, why }: Limit): string {
  const where = [mode === undefined ? '' : `\`${mode}\``, user ?? ''].filter((part) => part !== '').join(', ')
  return `| ${code(attacks)} | ${code(backends)} | ${where} | ${why} |`
}

export const limitsTable = (): string =>
  ['| attack | not stopped by | only in, only as | why |', '| --- | --- | --- | --- |', ...limits.map(row)].join('\n')

/** What each attack does, in the words of the program. */
export const attacksTable = (attacks: readonly Attack[]): string =>
  ['| attack | what it does |', '| --- | --- |', ...attacks.map(({ name, what }) => `| \`${name}\` | ${what} |`)].join(
    '\n'
  )
