// Which program runs this package, where that decides what works. Bun takes no descriptors as sockets, which raw streams
// and the whole fallback are made of; it would deliver nothing and say nothing.

export const isBun: boolean = process.versions.bun !== undefined

/** The fallback is made of what only Node has. */
export class FallbackUnavailableError extends Error {
  readonly code = 'FALLBACK_UNAVAILABLE'

  constructor() {
    super('the fallback of quiesce needs Node: on Bun only the native core runs commands')
    this.name = 'FallbackUnavailableError'
  }
}
