// The error of a provider that cannot give terminals: why, and what to do about it.

/** Terminals cannot be had here. `cause` is what went wrong, where something did. */
export class TerminalUnavailableError extends Error {
  readonly code = 'TERMINAL_UNAVAILABLE'
  /** Why, on one line. */
  readonly reason: string

  constructor(reason: string, remedy: string, cause?: unknown) {
    super(`terminals are not available: ${reason}; ${remedy}`, { cause })
    this.name = 'TerminalUnavailableError'
    this.reason = reason
  }
}
