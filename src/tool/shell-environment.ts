// The DSH_* variables of a command: a fresh snapshot for each call, of what is built in and of what contributors tell. It is
// merged last into the command's environment; those of the host are scrubbed before, so nothing stale comes through.

import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { invalidType } from '../errors/invalid-input.js'
import { checkKeys, checkText, checkVariableValue, hasFields } from '../subprocess/preflight-values.js'
import { addContribution, type Contribution } from './contribution.js'
import type { ToolSession } from './types.js'

export type DshVariable = `DSH_${string}`

export interface ShellEnvironmentContributor {
  /** Unique among those of one environment. */
  readonly name: string
  /** What each variable is that it may give, by its name such as `DSH_PROFILE`. Nobody else may give one of them. */
  readonly variables: Readonly<Record<DshVariable, string>>
  /** The values for a call. One that is left out is not set; one that is not declared, or no string, is an error. */
  resolve(session: ToolSession | undefined): Readonly<Record<DshVariable, string>>
}

export interface ShellEnvironmentVariable {
  readonly variable: DshVariable
  readonly description: string
  /** The contributor; `undefined` for what is built in. */
  readonly contributor: string | undefined
}

export interface ShellEnvironmentOptions {
  /** `DSH_HOME`; absent: that of the host, else `~/.dsh`. A relative one lies below the host's working folder. */
  readonly home?: string | undefined
}

export interface ShellEnvironment {
  /**
   * Returns what takes the contributor away again.
   * @throws TypeError for a name or a variable that is not well-formed, not described, built in or already given by another.
   */
  contribute(contributor: ShellEnvironmentContributor): () => void
  /**
   * The snapshot for a call, frozen, sorted by name. Contributors are asked in the order of their names.
   * @throws TypeError for what a contributor gives and may not; whatever a contributor throws.
   */
  collect(session?: ToolSession): Readonly<Record<DshVariable, string>>
  /** All variables that may be given, sorted by name. Asks no contributor. */
  list(): readonly ShellEnvironmentVariable[]
}

const builtIn: Readonly<Record<DshVariable, string>> = {
  DSH_HOME: 'Folder of settings and data, absolute.',
  DSH_SESSION_ID: 'Id of the session; only with one.',
  DSH_SHELL: 'Always 1: the command was run by a tool.'
}

const known: ReadonlySet<string> = new Set(['home'] satisfies (keyof ShellEnvironmentOptions)[])

const byName =
  <T>(name: (item: T) => string) =>
  (a: T, b: T): number =>
    name(a) < name(b) ? -1 : 1

/** @throws TypeError that names the option and the value. */
export function shellEnvironment(options: ShellEnvironmentOptions = {}): ShellEnvironment {
  if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
  checkKeys('', options, known)
  const { home } = options
  if (home !== undefined) checkText('home', home)
  if (home === '') throw invalidType('home', home, 'must not be empty')
  const contributions = new Map<string, Contribution>()

  const builtInValues = (session: ToolSession | undefined): [DshVariable, string][] => [
    ['DSH_HOME', resolve(home ?? (process.env.DSH_HOME || `${homedir()}/.dsh`))],
    ['DSH_SHELL', '1'],
    ...(session === undefined ? [] : [['DSH_SESSION_ID', session.id] as [DshVariable, string]])
  ]

  return {
    contribute(contributor) {
      const contribution = addContribution(contributions, contributor, builtIn)
      return () => {
        // A second call must not take away another one of the same name.
        if (contributions.get(contribution.name) === contribution) contributions.delete(contribution.name)
      }
    },
    collect(session) {
      const values = builtInValues(session)
      for (const contribution of [...contributions.values()].sort(byName(({ name }) => name))) {
        values.push(...contribution.valuesFor(session))
      }
      for (const [variable, value] of values) checkVariableValue('environment', value, variable)
      return Object.freeze(Object.fromEntries(values.sort(byName(([variable]) => variable)))) as Record<
        DshVariable,
        string
      >
    },
    list() {
      const own = Object.entries(builtIn).map(([variable, description]) => ({
        ...{ variable: variable as DshVariable, description },
        contributor: undefined
      }))
      const contributed = [...contributions.values()].flatMap((contribution) => contribution.list())
      return [...own, ...contributed].sort(byName(({ variable }) => variable))
    }
  }
}
