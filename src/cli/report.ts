// What the command line says by itself: results and errors as JSON on stdout, failures as one line on stderr.

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

/** Written whole before it returns, or not at all where the reader has gone. */
export function printJson(value: unknown): void {
  const text = Buffer.from(`${JSON.stringify(value, plain, 2)}\n`)
  for (let written = 0; written < text.length; ) {
    try {
      written += writeSync(1, text, written)
    } catch (error) {
      const { code } = error as { code?: string }
      if (code === 'EPIPE') return
      if (code !== 'EAGAIN') throw error
      // A non-blocking pipe that is full: its reader needs time.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1)
    }
  }
}

export function printFailure(error: unknown, json: boolean): void {
  if (json) {
    const { code, stage, path } = error as ErrorFacts
    printJson({ error: { message: messageOf(error), code, stage, path } })
  } else {
    process.stderr.write(`quiesce: ${messageOf(error)}\n`)
  }
}
