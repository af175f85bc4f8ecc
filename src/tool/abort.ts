// The end of a tool call by its caller: one error for all of them, whatever the call was doing.

/** The call was ended before it had a result. Nothing that it has started goes on. */
export class ToolAbortError extends Error {
  readonly code = 'ABORTED'

  /** @param cause The reason of the signal, or the error that the abort has led to. */
  constructor(cause?: unknown) {
    super('tool call aborted', { cause })
    this.name = 'AbortError'
  }
}

export function checkNotAborted(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw new ToolAbortError(signal.reason)
}

/** Work that may not look at the signal itself: what it comes to after an abort is dropped. */
export function orAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return work
  return new Promise<T>((resolve, reject) => {
    const onAbort = (): void => reject(new ToolAbortError(signal.reason))
    const close = (): void => signal.removeEventListener('abort', onAbort)
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) onAbort()
    work.then(
      (value) => {
        close()
        resolve(value)
      },
      (error: unknown) => {
        close()
        reject(signal.aborted ? new ToolAbortError(error) : error)
      }
    )
  })
}
