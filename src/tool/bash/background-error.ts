// The error of a background command that a model asks for where there can be none.

export class BackgroundUnavailableError extends Error {
  readonly code = 'BACKGROUND_UNAVAILABLE'

  constructor(reason: string) {
    super(`bash: run_in_background is not possible: ${reason}`)
    this.name = 'BackgroundUnavailableError'
  }
}
