// The terminal seam: persistent sessions in pseudoterminals, each of one owner.

import type {
  TerminalAccess,
  TerminalOpenRequest,
  TerminalOwner,
  TerminalRead,
  TerminalReadRequest,
  TerminalSendRequest,
  TerminalSendResult,
  TerminalSignalRequest,
  TerminalSnapshot
} from './types.js'

/** Everything here rejects or throws `TerminalError` for a terminal that is unknown or somebody else's. */
export abstract class TerminalRegistry {
  /**
   * Opens a terminal; it is listed once its program wants input. When `signal` aborts, the owner is disposed of or the
   * program ends before that, what was started is ended and this rejects.
   */
  abstract open(request?: TerminalOpenRequest): Promise<TerminalSnapshot>

  /** Types text and waits until the terminal wants input again. One at a time for each terminal (`SEND_ACTIVE`). */
  abstract send(request: TerminalSendRequest): Promise<TerminalSendResult>

  /** Consumes nothing. */
  abstract read(request: TerminalReadRequest): TerminalRead

  /** Signals the foreground process group; returns its id. */
  abstract signal(request: TerminalSignalRequest): number

  /** Ends everything in the terminal and forgets it. Idempotent; after a failure it can be called again. */
  abstract close(request: TerminalAccess): Promise<void>

  /** The open ones of this owner, oldest first. */
  abstract list(owner?: TerminalOwner): TerminalSnapshot[]

  /** Closes all of one owner, also those being opened. While this runs the owner cannot open another. */
  abstract disposeOwner(owner: TerminalOwner): Promise<void>

  /** Closes all. Idempotent; from its start on nothing is opened (`SERVICE_DISPOSING`). */
  abstract dispose(): Promise<void>

  [Symbol.asyncDispose](): Promise<void> {
    return this.dispose()
  }
}
