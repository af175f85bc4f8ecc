// What the terminal tools are made of.

import { invalidRange, invalidType } from '../../errors/invalid-input.js'
import type { SandboxPolicyService } from '../../sandbox/policy-service.js'
import { checkKeys, hasFields, isObject } from '../../subprocess/preflight-values.js'
import type { TerminalRegistry } from '../../terminal/registry.js'
import { largestRead, smallestRead } from '../../terminal/settings.js'

export interface TerminalToolOptions {
  readonly terminals: TerminalRegistry
  /** Which policy the shell of a session gets. Absent: the registry decides. */
  readonly sandboxPolicy?: SandboxPolicyService | undefined
  /** Of a whole answer as UTF-8: 64 to 262 144, which is also what holds without it. */
  readonly maxResultBytes?: number | undefined
}

export interface TerminalToolSetup {
  readonly terminals: TerminalRegistry
  readonly sandboxPolicy: SandboxPolicyService | undefined
  readonly maxResultBytes: number
}

const known = new Set(['terminals', 'sandboxPolicy', 'maxResultBytes'] satisfies (keyof TerminalToolOptions)[])

/** @throws TypeError or RangeError that names the option and the value. */
export function readTerminalToolOptions(options: TerminalToolOptions): TerminalToolSetup {
  if (!hasFields(options)) throw invalidType('options', options, 'must be an object')
  checkKeys('', options, known as ReadonlySet<string>)
  const { terminals, sandboxPolicy, maxResultBytes = largestRead } = options as TerminalToolOptions
  if (!isObject(terminals) || typeof terminals.send !== 'function') {
    throw invalidType('terminals', terminals, 'must be a TerminalRegistry')
  }
  if (typeof maxResultBytes !== 'number') throw invalidType('maxResultBytes', maxResultBytes, 'must be a number')
  if (!Number.isInteger(maxResultBytes) || maxResultBytes < smallestRead || maxResultBytes > largestRead) {
    throw invalidRange('maxResultBytes', maxResultBytes, `must be an integer from ${smallestRead} to ${largestRead}`)
  }
  return { terminals, sandboxPolicy, maxResultBytes }
}
