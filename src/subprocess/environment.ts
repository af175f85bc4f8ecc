// The environment of a command: the host's without its secrets, the overrides over it, the proxy policy, the channel's
// marker. Runs for every command; what is remembered is only whether a name passes, never a value, so a changed
// `process.env` is always seen.

import { applyProxyPolicy } from './proxy.js'
import type { SubprocessEnvironment } from './types.js'

export interface EnvironmentOptions {
  /** Names without case, as on Windows. */
  readonly caseless?: boolean
  /** The command gets a control channel, and is told its descriptor. */
  readonly control?: boolean
  readonly host?: Readonly<Record<string, string | undefined>>
}

/** The descriptor of the control channel in the command. */
export const controlDescriptor = 7
/** The descriptor of the attachment in the command. */
export const attachmentDescriptor = 8
const controlMarker = 'QUIESCE_CONTROL_FD'

const noOverrides: SubprocessEnvironment = {}

/**
 * `overrides` win over the host's variables; `undefined` removes one. A secret that is passed there on purpose stays.
 * The order is the host's, then that of the overrides.
 */
export function composeEnvironment(
  overrides: SubprocessEnvironment = noOverrides,
  { caseless = process.platform === 'win32', control = false, host = process.env }: EnvironmentOptions = {}
): Map<string, string> {
  const environment = scrubbed(host)
  const explicit = caseless ? foldNames(environment, overrides) : overrides
  for (const name of Object.keys(explicit)) {
    const value = explicit[name]
    if (value === undefined) environment.delete(name)
    else environment.set(name, value)
  }
  applyProxyPolicy(environment, explicit, caseless)
  if (control) environment.set(controlMarker, String(controlDescriptor))
  return environment
}

function scrubbed(host: Readonly<Record<string, string | undefined>>): Map<string, string> {
  const environment = new Map<string, string>()
  // Object.keys would ask process.env about each name once more.
  for (const name of Reflect.ownKeys(host) as string[]) {
    if (!isInherited(name)) continue
    const value = host[name]
    if (value !== undefined) environment.set(name, value)
  }
  return environment
}

const secret = /KEY|PASSWORD|SECRET|TOKEN/i
const own = /^DSH_/i
const verdicts = new Map<string, boolean>()
/** Far above any real environment; only keeps a host that invents names without end from filling the memory. */
const verdictLimit = 4096

function isInherited(name: string): boolean {
  const known = verdicts.get(name)
  if (known !== undefined) return known
  // A host that is itself a command with a channel must not hand on its marker: the descriptor is not handed on either.
  const verdict = !secret.test(name) && !own.test(name) && name !== controlMarker
  if (verdicts.size >= verdictLimit) verdicts.clear()
  verdicts.set(name, verdict)
  return verdict
}

/**
 * Where names have no case: drops every host variable that an override means, and rewrites the overrides to one spelling
 * each, the last one winning. Names of the proxy policy take the spelling that the policy looks for.
 */
function foldNames(environment: Map<string, string>, overrides: SubprocessEnvironment): SubprocessEnvironment {
  const spellings = new Map<string, string>()
  for (const name of Object.keys(overrides)) spellings.set(name.toUpperCase(), name)
  const folded: Record<string, string | undefined> = {}
  for (const name of environment.keys()) {
    const upper = name.toUpperCase()
    if (spellings.has(upper)) environment.delete(name)
  }
  for (const [upper, name] of spellings) folded[isPolicyName(upper) ? upper : name] = overrides[name]
  for (const [name, value] of [...environment]) {
    const upper = name.toUpperCase()
    if (upper === name || !isPolicyName(upper)) continue
    environment.delete(name)
    environment.set(upper, value)
  }
  return folded
}

function isPolicyName(upper: string): boolean {
  return upper.endsWith('_PROXY')
}
