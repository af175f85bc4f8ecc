// Looks from time to time whether the ranges of exited commands are empty: one timer and one look at /proc for all.
// The timer never keeps the host alive; whoever waits does that.

import { groupsWithLife } from './group-states.js'

export interface WatchedRange {
  readonly pid: number
  /** It is the process group `pid`, of which a look at /proc tells more than `exists` does. */
  readonly isGroup: boolean
  /** Somebody is ending it, so its end is near and wanted. */
  readonly urgent: boolean
  exists(): boolean
  /** Still there after a look; may try to end it again. */
  remains(): void
  emptied(): void
}

const urgentPollMs = 15
const idlePollMs = 100
/** A look at /proc reads a file for each process of the machine: it may take at most this share of the time. */
const scanShare = 0.1

export class RangeWatch {
  readonly #ranges = new Set<WatchedRange>()
  #timer: NodeJS.Timeout | null = null
  #dueAt = 0
  #nextScanAt = 0

  /** To be called once the direct command has been reaped; before that its zombie would count. Looks at once. */
  add(range: WatchedRange): void {
    if (range.exists()) {
      this.#ranges.add(range)
      this.hurry()
    } else {
      range.emptied()
    }
  }

  /** Looks soon: a range has become urgent, or is new. */
  hurry(): void {
    if (this.#ranges.size === 0) return
    // A look that is due sooner stays due: moving it with every new range could put it off for ever.
    if (this.#timer !== null && this.#dueAt <= performance.now() + urgentPollMs) return
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#arm(urgentPollMs)
  }

  close(): void {
    this.#ranges.clear()
    if (this.#timer !== null) clearTimeout(this.#timer)
    this.#timer = null
  }

  #arm(delayMs: number): void {
    this.#dueAt = performance.now() + delayMs
    this.#timer = setTimeout(() => this.#look(), delayMs).unref()
  }

  #look(): void {
    this.#timer = null
    const remaining = [...this.#ranges].filter((range) => !this.#take(range, range.exists()))
    const groups = remaining.some(({ isGroup }) => isGroup) ? this.#scan() : null
    for (const range of remaining) {
      // Only a group that is seen to hold nothing but zombies is taken for empty; one that is not seen at all is not.
      if (!this.#take(range, !range.isGroup || groups?.get(range.pid) !== false)) range.remains()
    }
    if (this.#ranges.size > 0) this.#arm([...this.#ranges].some(({ urgent }) => urgent) ? urgentPollMs : idlePollMs)
  }

  /** True if the range turned out to be empty. */
  #take(range: WatchedRange, exists: boolean): boolean {
    if (exists) return false
    this.#ranges.delete(range)
    range.emptied()
    return true
  }

  #scan(): ReadonlyMap<number, boolean> | null {
    const startedAt = performance.now()
    if (startedAt < this.#nextScanAt) return null
    const groups = groupsWithLife()
    const endedAt = performance.now()
    this.#nextScanAt = endedAt + (endedAt - startedAt) / scanShare
    return groups
  }
}
