// What a failed start says on the command's stderr.

import { LimitUnavailableError } from '../errors/limit-unavailable.js'
import { SubprocessError } from '../errors/subprocess-error.js'

function show(error: unknown): string {
  try {
    return String(error)
  } catch {
    return 'unprintable provider failure'
  }
}

/** A start that failed: an error of a step of it, or one in the shape that Node gives a failed spawn. */
function isSpawnFailure(error: unknown): boolean {
  if (error instanceof SubprocessError || error instanceof LimitUnavailableError) return true
  const syscall = (error as { syscall?: unknown } | null | undefined)?.syscall
  return typeof syscall === 'string' && (syscall === 'spawn' || syscall.startsWith('spawn '))
}

export function failureNote(error: unknown): string {
  const stage = isSpawnFailure(error) ? 'spawn failed' : 'subprocess failed before reporting an outcome'
  return `${stage}: ${show(error)}`
}
