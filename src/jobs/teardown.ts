// The end of many jobs at once: each is cancelled, all are waited for, none for ever. What cannot be ended costs its record
// and not the others.

import { textOf } from './hooks.js'
import type { JobRecord } from './job-record.js'

/** Settles a record as failed for the reason given, and says that its work may go on. */
export type GiveUp = (record: JobRecord, reason: string) => void

function cancel(record: JobRecord, reason: string, giveUp: GiveUp): void {
  try {
    record.cancel(reason)
  } catch (error) {
    giveUp(record, `cancelling it failed (${textOf(error)})`)
  }
}

/** Resolves with true when all have ended, with false when the time is over. */
function allEnded(records: readonly JobRecord[], timeoutMs: number): Promise<boolean> {
  return new Promise((resolve) => {
    const active = records.filter(({ isActive }) => isActive)
    if (active.length === 0) return resolve(true)
    let left = active.length
    const stops = active.map((record) =>
      record.whenEnded(() => {
        left -= 1
        if (left > 0) return
        clearTimeout(timer)
        resolve(true)
      })
    )
    const timer = setTimeout(() => {
      for (const stop of stops) stop()
      resolve(false)
    }, timeoutMs)
  })
}

/**
 * Ends what `active` gives, and what it gives then: a job may have been on its way when this was called. Whatever has not
 * ended after `timeoutMs` is given up.
 */
export async function endJobs(
  active: () => readonly JobRecord[],
  reason: string,
  timeoutMs: number,
  giveUp: GiveUp
): Promise<void> {
  const endBy = performance.now() + timeoutMs
  do {
    const records = active()
    // Whoever ends them knows of their end.
    for (const record of records) record.reported = true
    for (const record of records) cancel(record, reason, giveUp)
    const inTime = await allEnded(records, Math.max(endBy - performance.now(), 0))
    if (inTime) continue
    for (const record of records.filter(({ isActive }) => isActive)) {
      giveUp(record, `it has not ended within ${timeoutMs} ms of being cancelled`)
    }
  } while (active().length > 0)
}
