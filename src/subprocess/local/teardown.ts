// Ending everything that a runtime owns: all at once, each waited for, no failure in another's way.

import type { LocalHandle } from './handle.js'

/** Terminates every handle and waits until each is over; returns what went wrong on the way. */
export async function endAll(handles: readonly LocalHandle[]): Promise<unknown[]> {
  const results = await Promise.allSettled(handles.map(end))
  return results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []))
}

async function end(handle: LocalHandle): Promise<void> {
  handle.terminate()
  await handle.over()
}

/** A single failure is thrown unchanged, several as one. */
export function throwFailures(failures: readonly unknown[]): void {
  if (failures.length === 1) throw failures[0]
  if (failures.length > 1) throw new AggregateError(failures, 'local subprocess teardown failed')
}
