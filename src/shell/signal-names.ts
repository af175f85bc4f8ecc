// Names and numbers of signals, and the shell's convention of reporting a death by signal as exit status 128 + n.

import { constants } from 'node:os'

const numbers = constants.signals as Readonly<Record<string, number | undefined>>

/** A number with two names (SIGIOT, SIGPOLL) keeps the first, which is the usual one. */
const names = new Map<number, NodeJS.Signals>()
for (const [name, number] of Object.entries(constants.signals)) {
  if (!names.has(number)) names.set(number, name as NodeJS.Signals)
}

export function signalNumber(name: string): number | undefined {
  return numbers[name]
}

/** The signal that an exit status of 128 + n names, if it names one. */
export function innerSignalOf(exitCode: number | null): NodeJS.Signals | undefined {
  return exitCode !== null && exitCode > 128 && exitCode <= 128 + 64 ? names.get(exitCode - 128) : undefined
}
