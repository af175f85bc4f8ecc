// The environment of the last command, for as long as the next one would get the same. Composing one takes longer than
// all else that a spawn does on the event loop, and nearly every command of a host asks for the same.

import { composeEnvironment } from '../environment.js'
import type { SubprocessEnvironment } from '../types.js'

/** Changes whenever `process.env` has changed; `null` where nothing can tell. */
export type HostVersion = () => number | null

interface Entry {
  readonly version: number
  readonly control: boolean
  readonly overrides: SubprocessEnvironment
  readonly environment: ReadonlyMap<string, string>
}

export class EnvironmentCache {
  readonly #hostVersion: HostVersion
  #last: Entry | null = null

  constructor(hostVersion: HostVersion) {
    this.#hostVersion = hostVersion
  }

  /** As `composeEnvironment`; the same map each time while nothing has changed. */
  compose(overrides: SubprocessEnvironment | undefined, control: boolean): ReadonlyMap<string, string> {
    const version = this.#hostVersion()
    const last = this.#last
    if (last !== null && last.version === version && last.control === control && isSame(last.overrides, overrides)) {
      return last.environment
    }
    const environment = composeEnvironment(overrides, { control })
    this.#last = version === null ? null : { version, control, overrides: { ...overrides }, environment }
    return environment
  }
}

// The order counts too: it is that of the command's environment.
function isSame(known: SubprocessEnvironment, given: SubprocessEnvironment = {}): boolean {
  const names = Object.keys(given)
  const knownNames = Object.keys(known)
  if (names.length !== knownNames.length) return false
  return names.every((name, place) => name === knownNames[place] && given[name] === known[name])
}
