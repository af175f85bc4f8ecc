// The wait of one caller for the end of one job: until it has ended, the time is over, or the caller's signal aborts. Any
// number of them at once, and none of them touches the job.

import { waitAborted } from '../errors/job-error.js'
import { onAbort } from '../subprocess/local/abort-listeners.js'
import type { JobRecord } from './job-record.js'
import type { JobWaitRequest } from './types.js'

/** Resolves at the end or when the time is over. */
export function waitForEnd(record: JobRecord, { timeoutMs, signal }: JobWaitRequest): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(waitAborted(record.id, signal.reason))
    if (!record.isActive || timeoutMs === 0) return resolve()
    const stop = (): void => {
      clearTimeout(timer)
      stopWaiting()
      stopListening?.()
    }
    const over = (): void => {
      stop()
      resolve()
    }
    // A signal of foreign make may refuse its listener, so it is asked while there is nothing yet that could be left behind.
    const stopListening =
      signal &&
      onAbort(signal, () => {
        stop()
        reject(waitAborted(record.id, signal.reason))
      })
    const stopWaiting = record.whenEnded(over)
    const timer = timeoutMs === undefined ? undefined : setTimeout(over, timeoutMs)
  })
}
