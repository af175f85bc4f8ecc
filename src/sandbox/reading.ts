// How the end of a confined command is read: a failure of the runner first, then a refusal by the sandbox. Both are
// evidence from an exit status and the tail of stderr, and no proof: a command can say the same words.

import type { ConfinedArgv, RunnerFailureRule } from './types.js'

export interface EndedCommand {
  /** `null` if a signal ended it. */
  readonly exitCode: number | null
  /** The tail of its stderr. */
  readonly stderr: string
}

const isFilled = (text: string): boolean => text.trim() !== ''

function fatalLine(rule: RunnerFailureRule, exitCode: number, lines: readonly string[]): string | null {
  if (rule.allowedExitCodes && rule.allowedExitCodes.length > 0 && !rule.allowedExitCodes.includes(exitCode))
    return null
  const harmless = new Set(rule.informationalLines?.map((line) => line.toLowerCase()))
  const signatures = rule.fatalSignatures.filter(isFilled)
  const matches = (line: string): boolean =>
    !harmless.has(line.toLowerCase()) && signatures.some((signature) => line.includes(signature))
  return lines.find(matches) ?? null
}

/** The line in which the runner tells its failure, or `null`: then the command ran. */
export function runnerFailureLine(
  rules: readonly RunnerFailureRule[],
  { exitCode, stderr }: EndedCommand
): string | null {
  if (exitCode === null || exitCode === 0) return null
  const lines = stderr.split(/\r?\n/)
  for (const rule of rules) {
    const line = fatalLine(rule, exitCode, lines)
    if (line !== null) return line
  }
  return null
}

/** It failed and speaks of a refusal in the words of its sandbox. */
export function isDenied(signatures: readonly string[], { exitCode, stderr }: EndedCommand): boolean {
  if (exitCode === null || exitCode === 0) return false
  const text = stderr.toLowerCase()
  return signatures.filter(isFilled).some((signature) => text.includes(signature.toLowerCase()))
}

const isMissingProgram = (code: unknown): boolean => code === 'ENOENT' || code === 'EACCES'

interface StartFacts {
  readonly code?: unknown
  readonly path?: unknown
  readonly syscall?: unknown
  readonly stage?: unknown
}

/**
 * A failed start is the sandbox's own fault: it could not be entered, or its runner is missing or may not be executed and
 * the error names exactly it. Whether the working folder can be entered is for the caller to find out, since Node blames
 * the program for that.
 */
export function blamesSandbox({ argv }: Pick<ConfinedArgv, 'argv'>, error: unknown): boolean {
  const { code, path, syscall, stage } = (error ?? {}) as StartFacts
  const [runner] = argv
  if (stage === 'sandbox') return true
  if (!isMissingProgram(code)) return false
  if (path === undefined) return syscall === `spawn ${runner}`
  return path === runner && (syscall === 'spawn' || syscall === `spawn ${runner}`)
}
