// One contributor of DSH_* variables: what it has declared, checked when it comes, and what it gives, held to that.

import { invalidSecret, invalidType } from '../errors/invalid-input.js'
import { checkText, hasFields } from '../subprocess/preflight-values.js'
import type { DshVariable, ShellEnvironmentContributor, ShellEnvironmentVariable } from './shell-environment.js'
import type { ToolSession } from './types.js'

const variableName = /^DSH_[A-Z][A-Z0-9_]*$/

export class Contribution {
  readonly name: string
  readonly #variables: ReadonlyMap<string, string>
  readonly #contributor: ShellEnvironmentContributor

  constructor(name: string, variables: ReadonlyMap<string, string>, contributor: ShellEnvironmentContributor) {
    this.name = name
    this.#variables = variables
    this.#contributor = contributor
  }

  declares(variable: string): boolean {
    return this.#variables.has(variable)
  }

  list(): ShellEnvironmentVariable[] {
    return [...this.#variables].map(([variable, description]) => ({
      ...{ variable: variable as DshVariable, description },
      contributor: this.name
    }))
  }

  valuesFor(session: ToolSession | undefined): [DshVariable, string][] {
    const values: unknown = this.#contributor.resolve(session)
    const option = `environment.${this.name}`
    if (!hasFields(values)) throw invalidType(option, values, 'must give an object')
    return Object.entries(values).map(([variable, value]) => {
      if (!this.declares(variable)) throw invalidSecret(`${option}.${variable}`, 'was not declared by its contributor')
      if (typeof value !== 'string') throw invalidType(`${option}.${variable}`, value, 'must be a string')
      return [variable as DshVariable, value]
    })
  }
}

function checkVariable(
  contributions: ReadonlyMap<string, Contribution>,
  builtIn: Readonly<Record<string, string>>,
  variable: string,
  description: unknown
): void {
  const option = `contributor.variables.${variable}`
  if (!variableName.test(variable)) throw invalidType(option, variable, 'must have a name like DSH_NAME')
  if (Object.hasOwn(builtIn, variable)) throw invalidType(option, variable, 'is built in')
  if (typeof description !== 'string' || description.trim() === '') {
    throw invalidType(option, description, 'must be a description that is not blank')
  }
  const owner = [...contributions.values()].find((contribution) => contribution.declares(variable))
  if (owner !== undefined) throw invalidType(option, variable, `is given by the contributor ${owner.name} already`)
}

/** Adds it only if all of it is sound. */
export function addContribution(
  contributions: Map<string, Contribution>,
  contributor: ShellEnvironmentContributor,
  builtIn: Readonly<Record<string, string>>
): Contribution {
  if (!hasFields(contributor)) throw invalidType('contributor', contributor, 'must be an object')
  const { name, variables, resolve } = contributor
  checkText('contributor.name', name)
  if (name.trim() === '') throw invalidType('contributor.name', name, 'must not be blank')
  if (contributions.has(name)) throw invalidType('contributor.name', name, 'is taken by another contributor')
  if (!hasFields(variables)) throw invalidType('contributor.variables', variables, 'must be an object')
  if (typeof resolve !== 'function') throw invalidType('contributor.resolve', resolve, 'must be a function')
  const declared = Object.entries(variables)
  for (const [variable, description] of declared) checkVariable(contributions, builtIn, variable, description)
  const contribution = new Contribution(name, new Map(declared), contributor)
  contributions.set(name, contribution)
  return contribution
}
