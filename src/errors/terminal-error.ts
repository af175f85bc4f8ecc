// Refusals of a terminal registry: a code for programs, a sentence for people.

export type TerminalErrorCode =
  | 'DUPLICATE_BACKEND'
  | 'DUPLICATE_NAME'
  | 'FOREIGN_SESSION'
  | 'NO_BACKEND'
  | 'NO_SESSION'
  | 'OWNER_NOT_LIVE'
  | 'SEND_ACTIVE'
  | 'SERVICE_DISPOSING'
  /** The shell has ended; its text can still be read. */
  | 'SESSION_EXITED'
  /** A line is longer than a program gets that reads line by line. */
  | 'LINE_TOO_LONG'
  /** A terminal that was not handed over could not be ended; `cause` tells why. */
  | 'CLEANUP_FAILED'

export class TerminalError extends Error {
  readonly code: TerminalErrorCode

  constructor(code: TerminalErrorCode, message: string, cause?: unknown) {
    super(message, { cause })
    this.name = 'TerminalError'
    this.code = code
  }
}
