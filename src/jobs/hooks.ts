// What `run` gave, taken in such a way that nothing it does later can harm the registry: hooks and outcomes are the code of
// others.

import { invalidType } from '../errors/invalid-input.js'
import { isObject } from '../subprocess/preflight-values.js'
import type { JobHooks, JobOutcome } from './types.js'

/** What is said of a job that nobody has stopped and that nobody can. */
const unusable = 'the job could not be registered'

export interface TakenHooks {
  readonly hooks: JobHooks
  /** Settles as `hooks.done`, and is always a promise of this realm. */
  readonly done: Promise<JobOutcome>
}

function problemOf(hooks: unknown): string | null {
  if (!isObject(hooks)) return 'must be JobHooks'
  if (isThenable(hooks)) return 'must be JobHooks and no promise of them: run is synchronous'
  if (typeof hooks.cancel !== 'function') return 'must have a function cancel'
  if (hooks.notes !== undefined && typeof hooks.notes !== 'function') return 'must have notes as a function, or none'
  return null
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return isObject(value) && typeof value.then === 'function'
}

/** The work behind them goes on, so it is asked to end as well as that can be done. */
function abandon(hooks: unknown): void {
  const cancel = (value: unknown): void => {
    if (!isObject(value)) return
    if (isThenable(value.done)) Promise.resolve(value.done).catch(() => {})
    if (typeof value.cancel === 'function') value.cancel(unusable)
  }
  if (isThenable(hooks)) {
    Promise.resolve(hooks)
      .then(cancel)
      .catch(() => {})
    return
  }
  try {
    cancel(hooks)
  } catch {
    // The caller is told what was wrong with the hooks; that they cannot be cancelled either is no news.
  }
}

/** @throws TypeError for what are no hooks. */
export function takeHooks(hooks: JobHooks): TakenHooks {
  const problem = problemOf(hooks)
  if (problem !== null) {
    abandon(hooks)
    throw invalidType('what spec.run returned', hooks, problem)
  }
  const done: unknown = hooks.done
  if (!isThenable(done)) {
    abandon(hooks)
    throw invalidType('what spec.run returned', hooks, 'must have a promise done')
  }
  return { hooks, done: Promise.resolve(done as PromiseLike<JobOutcome>) }
}

/** What an error says of itself, whatever it is. */
export function textOf(error: unknown): string {
  try {
    return error instanceof Error ? error.message : String(error)
  } catch {
    return 'an unprintable failure'
  }
}

/** `null` for what says nothing of how a job ended. */
export function readOutcome(outcome: unknown): JobOutcome | null {
  if (!isObject(outcome)) return null
  const { state, detail, output } = outcome
  if (state !== 'completed' && state !== 'killed' && state !== 'failed') return null
  return {
    state,
    detail: typeof detail === 'string' && detail !== '' ? detail : undefined,
    output: typeof output === 'string' ? output : undefined
  }
}
