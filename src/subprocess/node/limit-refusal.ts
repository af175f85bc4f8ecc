// What child_process cannot hold a command to: it sets nothing between the fork and the program. A shell or prlimit(1) in
// front of the command would be a process that the limits hold too, and not the command that was asked for.

import { LimitUnavailableError } from '../../errors/limit-unavailable.js'
import { limitNames } from '../preflight-limits.js'
import type { SubprocessLimits } from '../types.js'

/** The error for the first of `limits`; `null` where there is none. */
export function limitRefusal(limits: SubprocessLimits | undefined): LimitUnavailableError | null {
  const name = limitNames.find((limit) => limits?.[limit] !== undefined)
  if (name === undefined) return null
  const reason = 'child_process cannot set a limit before the command begins; the native core can (npx quiesce doctor)'
  return new LimitUnavailableError(`limits.${name}`, limits?.[name], reason)
}
