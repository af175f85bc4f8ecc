// The numbers of terminals: sizes, bounds of what is kept and read, and how long readiness is waited for, in milliseconds.

export const defaultRows = 40
export const defaultCols = 160

/** What is kept of a terminal's text. */
export const retainedLines = 10_000
export const retainedBytes = 4 * 1024 * 1024

export const smallestRead = 64
export const largestRead = 262_144
export const defaultReadLines = 500

/** Bytes of a line, its end included, that a program gets which reads line by line: N_TTY_BUF_SIZE of the kernel less one. */
export const lineLimitBytes = 4095

export interface TerminalTimings {
  /** Between two looks at the foreground. */
  readonly pollMs: number
  /** A wait for input is looked for only after that: before, it may be the one from before the text was typed. */
  readonly probeAfterMs: number
  /** Without output for so long, a terminal counts as idle. */
  readonly silenceMs: number
  /** From a prompt to the shell's being in the foreground again. */
  readonly handoffMs: number
  readonly sendTimeoutMs: number
  /** From TERM to KILL when a terminal is closed, and the longest wait for an interrupt to work. */
  readonly graceMs: number
}

export const defaultTimings: TerminalTimings = {
  pollMs: 50,
  probeAfterMs: 150,
  silenceMs: 3000,
  handoffMs: 500,
  sendTimeoutMs: 30_000,
  graceMs: 3000
}
