// The exit-status contract of rendered output: its last line is `[exit code: N]` or `[killed by signal: X]`, and no such
// line means exit code 0. Text in, text out; results know better.

import { invalidType } from '../errors/invalid-input.js'
import { isObject } from '../subprocess/preflight-values.js'

/** At most one of the two is not null. */
export interface ExitStatus {
  readonly exitCode: number | null
  readonly signal: string | null
}

export interface ParsedExitStatus extends ExitStatus {
  /** The text without the marker line and the newline before it. */
  readonly body: string
}

const signalMarker = /\n\[killed by signal: ([A-Za-z0-9+_-]+)\]$/
const exitCodeMarker = /\n\[exit code: (-?\d+)\]$/

/** The marker line of an ended command; `null` for exit code 0, which needs none. */
export function formatExitStatus(status: ExitStatus): string | null {
  checkStatus(status)
  if (status.signal !== null) return `[killed by signal: ${status.signal}]`
  return status.exitCode === null || status.exitCode === 0 ? null : `[exit code: ${status.exitCode}]`
}

/** `text` with the marker line at its end, on a line of its own. */
export function appendExitStatus(text: string, status: ExitStatus): string {
  checkOutput(text)
  const marker = formatExitStatus(status)
  return marker === null ? text : `${text}${text.endsWith('\n') ? '' : '\n'}${marker}`
}

/** Splits the marker off. It counts only after a newline and at the very end; other markers stay in the body. */
export function parseExitStatus(text: string): ParsedExitStatus {
  checkOutput(text)
  const signal = signalMarker.exec(text)
  if (signal?.[1] !== undefined) return { body: text.slice(0, signal.index), exitCode: null, signal: signal[1] }
  const exit = exitCodeMarker.exec(text)
  if (exit?.[1] !== undefined) return { body: text.slice(0, exit.index), exitCode: Number(exit[1]), signal: null }
  return { body: text, exitCode: 0, signal: null }
}

function checkOutput(text: unknown): void {
  if (typeof text !== 'string') throw invalidType('text', text, 'must be a string')
}

function checkStatus(status: unknown): void {
  if (!isObject(status)) throw invalidType('status', status, 'must be an object')
  const { exitCode, signal } = status
  if (exitCode !== null && !Number.isInteger(exitCode)) {
    throw invalidType('status.exitCode', exitCode, 'must be an integer or null')
  }
  if (signal !== null && typeof signal !== 'string') {
    throw invalidType('status.signal', signal, 'must be a string or null')
  }
}
