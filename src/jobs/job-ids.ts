// Ids `<kind>-<n>`, counted for each kind from 1. A number that its job did not live to use is used by the next one.

export class JobIds {
  readonly #last = new Map<string, number>()

  /** Taken at once, so that a job that is started from within another's start gets another one. */
  take(kind: string): string {
    const number = (this.#last.get(kind) ?? 0) + 1
    this.#last.set(kind, number)
    return `${kind}-${number}`
  }

  /** Gives the id back, unless a later one has been taken meanwhile: ids never repeat. */
  giveBack(kind: string, id: string): void {
    const last = this.#last.get(kind)
    if (last === undefined || id !== `${kind}-${last}`) return
    if (last === 1) this.#last.delete(kind)
    else this.#last.set(kind, last - 1)
  }

  wasTaken(id: string): boolean {
    const at = id.lastIndexOf('-')
    const number = id.slice(at + 1)
    return /^[1-9]\d*$/.test(number) && Number(number) <= (this.#last.get(id.slice(0, at)) ?? 0)
  }
}
