// The choice of a backend for one profile, and the memory of such choices.

import type { SandboxAttempt } from '../unavailable.js'
import type { SandboxBackend } from './backend.js'
import { type Examination, type ExaminationTerms, examine, isUsable, type UsableBackend } from './examination.js'
import { keyOf, type SandboxProfile } from './profile.js'
import { SharedWork } from './shared-work.js'

/** What is used, or why nothing is. */
export type Choice = UsableBackend | { readonly attempts: readonly SandboxAttempt[] }

/** The first in order that enforces everything, otherwise the first that enforces something. */
async function choose(
  backends: readonly SandboxBackend[],
  profile: SandboxProfile,
  terms: ExaminationTerms
): Promise<Choice> {
  const found: Examination[] = []
  for (const backend of backends) {
    const examination = await examine(backend, profile, terms)
    if (isUsable(examination) && examination.enforcement === 'full') return examination
    found.push(examination)
  }
  const attempts = found.filter((examination): examination is SandboxAttempt => !isUsable(examination))
  return found.find(isUsable) ?? { attempts }
}

interface Remembered {
  readonly work: SharedWork<Choice>
  settled: Choice | undefined
  staleAt: number
}

const MAX_REMEMBERED = 64
/** What was missing may have been installed or allowed meanwhile. */
const UNAVAILABLE_FOR_MS = 10_000

export class Choices {
  readonly #backends: readonly SandboxBackend[]
  readonly #terms: Omit<ExaminationTerms, 'signal'>
  readonly #remembered = new Map<string, Remembered>()

  constructor(backends: readonly SandboxBackend[], terms: Omit<ExaminationTerms, 'signal'>) {
    this.#backends = backends
    this.#terms = terms
  }

  /** At once where the choice is known. Rejects with the reason of `signal` once that aborts. */
  for(profile: SandboxProfile, signal?: AbortSignal): Choice | Promise<Choice> {
    const key = keyOf(profile)
    const known = this.#recall(key)
    if (known !== undefined) return known.settled ?? known.work.wait(signal)
    return this.#begin(key, profile).work.wait(signal)
  }

  /** Ends what is still being tried; whoever waits for it gets `reason`. */
  cancel(reason: unknown): void {
    for (const { work } of this.#remembered.values()) work.cancel(reason)
    this.#remembered.clear()
  }

  #recall(key: string): Remembered | undefined {
    const known = this.#remembered.get(key)
    if (known === undefined) return undefined
    this.#remembered.delete(key)
    if (known.work.abandoned || performance.now() >= known.staleAt) return undefined
    // The last to be used is the last in order.
    this.#remembered.set(key, known)
    return known
  }

  #begin(key: string, profile: SandboxProfile): Remembered {
    const work = new SharedWork((signal) => choose(this.#backends, profile, { ...this.#terms, signal }))
    const entry: Remembered = { work, settled: undefined, staleAt: Number.POSITIVE_INFINITY }
    this.#remembered.set(key, entry)
    work.settled.then(
      (choice) => {
        entry.settled = choice
        if ('attempts' in choice) entry.staleAt = performance.now() + UNAVAILABLE_FOR_MS
      },
      () => {
        if (this.#remembered.get(key) === entry) this.#remembered.delete(key)
      }
    )
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= MAX_REMEMBERED) break
      this.#remembered.delete(oldest)
    }
    return entry
  }
}
