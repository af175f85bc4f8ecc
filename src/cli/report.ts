// What the command line says by itself: results and errors as JSON on stdout, failures and warnings as lines on stderr.
// Written straight to the descriptors: `process.stdout` and `process.stderr` would make them non-blocking when they are
// touched, and with them those of the command, which shares them and would lose output to EAGAIN.

import { writeSync } from 'node:fs'

interface ErrorFacts {
  readonly code?: unknown
  readonly stage?: unknown
  readonly path?: unknown
}

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** Errors inside a result (a spill that failed) are no plain data: their message is. */
function plain(_key: string, value: unknown): unknown {
  return value instanceof Error ? value.message : value
}

/** Whole, before it returns; not at all where the reader has gone. */
function print(fd: 1 | 2, text: string): void {
  const bytes = Buffer.from(text)
  for (let written = 0; written < bytes.length; ) {
    try {
      written += writeSync(fd, bytes, written)
    } catch (error) {
      const { code } = error as { code?: string }
      // On stderr there is nobody left to tell.
      if (code === 'EPIPE' || (code !== 'EAGAIN' && fd === 2)) return
      if (code !== 'EAGAIN') throw error
      // Somebody else made the pipe non-blocking and it is full: its reader needs time.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

export function printText(text: string): void {
  print(1, `${text}\n`)
}

export function printJson(value: unknown): void {
  printText(JSON.stringify(value, plain, 2))
}

export function printProblem(message: string): void {
  print(2, `quiesce: ${message}\n`)
}

export function printFailure(error: unknown, json: boolean): void {
  const { code, stage, path } = error as ErrorFacts
  if (json) {
    try {
      printJson({ error: { message: messageOf(error), code, stage, path } })
      return
    } catch {
      // The failure may be that stdout cannot be written, a full disk for example.
    }
  }
  printProblem(messageOf(error))
}
