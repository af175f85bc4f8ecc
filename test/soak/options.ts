// The command line of the soak.

import { parseArgs } from 'node:util'

export const usage = `npm run soak [-- OPTIONS]
  --seconds N         start commands for this long (600)
  --commands N        start at most so many (1,000,000)
  --kind NAME         only commands of this kind, may be given several times
  --provider NAME     native or node (native where it works)
  --range KIND        cgroup or group (the strongest there is)
  --seed N            repeats the choices of an earlier run (random)`

export interface SoakOptions {
  readonly seconds: number
  readonly commandCount: number
  readonly kinds: readonly string[]
  readonly provider: 'auto' | 'native' | 'node'
  readonly range: 'cgroup' | 'group' | undefined
  readonly seed: number
}

function oneOf<Name extends string>(
  option: string,
  value: string | undefined,
  names: readonly Name[]
): Name | undefined {
  if (value === undefined || names.includes(value as Name)) return value as Name | undefined
  throw new Error(`--${option} takes one of ${names.join(', ')}, not ${value}`)
}

function count(option: string, value: string | undefined, absent: number): number {
  const number = value === undefined ? absent : Number(value)
  if (Number.isInteger(number) && number > 0) return number
  throw new Error(`--${option} takes a positive whole number, not ${value}`)
}

/** @throws Error that says which option is wrong. */
export function parseOptions(args: readonly string[], kindNames: readonly string[]): SoakOptions {
  const text = { type: 'string' } as const
  const { values } = parseArgs({
    args: [...args],
    options: {
      seconds: text,
      commands: text,
      kind: { ...text, multiple: true },
      provider: text,
      range: text,
      seed: text
    }
  })
  const kinds = values.kind ?? kindNames
  for (const kind of kinds) oneOf('kind', kind, kindNames)
  return {
    seconds: count('seconds', values.seconds, 600),
    commandCount: count('commands', values.commands, 1_000_000),
    kinds,
    provider: oneOf('provider', values.provider, ['native', 'node']) ?? 'auto',
    range: oneOf('range', values.range, ['cgroup', 'group']),
    seed: count('seed', values.seed, 1 + Math.floor(Math.random() * 1_000_000))
  }
}
