// Carries the host's proxy policy to the command, whichever spelling a program there looks for.
// Rules: a spelling that is missing takes the value of the other; two spellings that differ stay as they are. An explicit
// override or removal of either spelling decides for both, unless both are named. When any proxy is set, a Node child is
// told to use it (`NODE_USE_ENV_PROXY=1`), unless that variable is set or was removed explicitly.

import type { SubprocessEnvironment } from './types.js'

const pairs = [
  ['HTTP_PROXY', 'http_proxy'],
  ['HTTPS_PROXY', 'https_proxy'],
  ['ALL_PROXY', 'all_proxy'],
  ['NO_PROXY', 'no_proxy']
] as const

const switchName = 'NODE_USE_ENV_PROXY'

/** Works on the merged `environment`; `overrides` tells what in it (or missing from it) is explicit. */
export function applyProxyPolicy(
  environment: Map<string, string>,
  overrides: SubprocessEnvironment,
  caseless: boolean
): void {
  let proxied = false
  for (const [upper, lower] of pairs) {
    // Where names have no case the two spellings are one variable.
    if (!caseless) unify(environment, overrides, upper, lower)
    if (upper !== 'NO_PROXY' && (isSet(environment, upper) || isSet(environment, lower))) proxied = true
  }
  if (proxied && !environment.has(switchName) && !Object.hasOwn(overrides, switchName)) environment.set(switchName, '1')
}

function unify(environment: Map<string, string>, overrides: SubprocessEnvironment, upper: string, lower: string): void {
  const upperNamed = Object.hasOwn(overrides, upper)
  const lowerNamed = Object.hasOwn(overrides, lower)
  if (upperNamed && lowerNamed) return
  if (upperNamed) copy(environment, upper, lower)
  else if (lowerNamed || !environment.has(upper)) copy(environment, lower, upper)
  else if (!environment.has(lower)) copy(environment, upper, lower)
}

function copy(environment: Map<string, string>, from: string, to: string): void {
  const value = environment.get(from)
  if (value === undefined) environment.delete(to)
  else environment.set(to, value)
}

function isSet(environment: ReadonlyMap<string, string>, name: string): boolean {
  const value = environment.get(name)
  return value !== undefined && value !== ''
}
