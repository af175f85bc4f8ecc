// The error of a native core that cannot be loaded: what was tried, why in a few words, and what to do about it.

/** A file that was tried, and the reason why it is not used. */
export interface AddonAttempt {
  readonly path: string
  readonly reason: string
}

export const noSuchFile = 'no such file'

/** The native core cannot be loaded. Its message lists every attempt and the remedy, a line each. */
export class AddonUnavailableError extends Error {
  readonly code = 'ADDON_UNAVAILABLE'
  readonly attempts: readonly AddonAttempt[]
  /** The most telling reason, on one line. */
  readonly reason: string

  constructor(platform: string, attempts: readonly AddonAttempt[], remedy: string) {
    const tried = attempts.map(({ path, reason }) => `  ${path}: ${reason}\n`).join('')
    super(`the native core of quiesce cannot be loaded on ${platform}; tried\n${tried}${remedy}`)
    this.name = 'AddonUnavailableError'
    this.attempts = attempts
    this.reason = attempts.find(({ reason }) => reason !== noSuchFile)?.reason ?? `there is no build for ${platform}`
  }
}
