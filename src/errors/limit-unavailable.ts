// The error of a limit that was asked for and that nothing here can hold a command to. The command does not run.

/** A limit that cannot be enforced; the command did not run. */
export class LimitUnavailableError extends Error {
  readonly code = 'LIMIT_UNAVAILABLE'
  readonly stage = 'limits'
  /** Such as `limits.memoryBytes`. */
  readonly option: string
  /** In the unit of the option. */
  readonly value: number | undefined
  /** What stands in the way, with the remedy where there is one. */
  readonly reason: string

  constructor(option: string, value: number | undefined, reason: string) {
    super(`${option} ${value} cannot be enforced: ${reason}`)
    this.name = 'LimitUnavailableError'
    this.option = option
    this.value = value
    this.reason = reason
  }
}
