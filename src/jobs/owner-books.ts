// How many jobs each owner has active, and which ended ones are still kept for it. Jobs without an owner count together, as
// those of one owner.

import type { JobRecord } from './job-record.js'
import type { JobOwner } from './types.js'

interface Book {
  activeCount: number
  /** Oldest end first. */
  readonly ended: JobRecord[]
}

export class OwnerBooks {
  readonly #maxEnded: number
  readonly #books = new Map<JobOwner | undefined, Book>()

  constructor(maxEnded: number) {
    this.#maxEnded = maxEnded
  }

  activeCount(owner: JobOwner | undefined): number {
    return this.#books.get(owner)?.activeCount ?? 0
  }

  began(owner: JobOwner | undefined): void {
    const book = this.#books.get(owner) ?? { activeCount: 0, ended: [] }
    book.activeCount += 1
    this.#books.set(owner, book)
  }

  /** What `began` counted has come to nothing. */
  cameToNothing(owner: JobOwner | undefined): void {
    const book = this.#books.get(owner)
    if (book === undefined) return
    book.activeCount -= 1
    this.#closeIfEmpty(owner, book)
  }

  /** Returns the record that is one too many now, if any. */
  ended(record: JobRecord): JobRecord | undefined {
    const book = this.#books.get(record.owner)
    if (book === undefined) return undefined
    book.activeCount -= 1
    book.ended.push(record)
    if (book.ended.length <= this.#maxEnded) return undefined
    // Never the latest: whoever has waited for it comes to read it.
    const reported = book.ended.findIndex((one) => one.reported && one !== record)
    return book.ended.splice(Math.max(reported, 0), 1)[0]
  }

  /** An ended record is dropped. */
  dropped(record: JobRecord): void {
    const book = this.#books.get(record.owner)
    const index = book?.ended.indexOf(record) ?? -1
    if (book === undefined || index === -1) return
    book.ended.splice(index, 1)
    this.#closeIfEmpty(record.owner, book)
  }

  #closeIfEmpty(owner: JobOwner | undefined, book: Book): void {
    if (book.activeCount === 0 && book.ended.length === 0) this.#books.delete(owner)
  }
}
