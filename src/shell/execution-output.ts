// The two collected streams of an execution in the three ways they are read: by offset, consuming, and at the end.

import type { SubprocessHandle, SubprocessOutputReader } from '../subprocess/types.js'
import { emptyReader, NotedReader } from './noted-reader.js'
import type { ShellOutput, ShellProcessRead } from './types.js'

export class ExecutionOutput {
  readonly stdout: SubprocessOutputReader
  readonly stderr: NotedReader
  #stdoutOffset = 0
  #stderrOffset = 0

  /** `null` where nothing was started. */
  constructor(collected: SubprocessHandle['collected'] | null) {
    this.stdout = collected?.stdout ?? emptyReader
    this.stderr = new NotedReader(collected?.stderr ?? emptyReader)
  }

  /** What came since the last call, stderr in a section of its own. */
  read(): ShellProcessRead {
    const stdout = this.stdout.readFrom(this.#stdoutOffset)
    const stderr = this.stderr.readFrom(this.#stderrOffset)
    this.#stdoutOffset = stdout.nextOffset
    this.#stderrOffset = stderr.nextOffset
    return {
      delta: joinSections(stdout.text, stderr.text),
      lossy: stdout.lossy || stderr.lossy,
      ...(stdout.spillPath !== undefined && { stdoutSpillPath: stdout.spillPath }),
      ...(stderr.spillPath !== undefined && { stderrSpillPath: stderr.spillPath })
    }
  }
}

/** stderr, if there is any, in a section of its own. */
export function joinSections(stdout: string, stderr: string): string {
  if (stderr === '') return stdout
  const separator = stdout === '' || stdout.endsWith('\n') ? '' : '\n'
  return `${stdout}${separator}[stderr]\n${stderr}`
}

/** The whole retained stream as part of a result. */
export function outputOf(reader: SubprocessOutputReader): ShellOutput {
  const { text, lossy, spillPath } = reader.readFrom(0)
  const { totalBytes, spillError } = reader
  return {
    text,
    truncated: lossy,
    totalBytes,
    ...(spillPath !== undefined && { spillPath }),
    ...(spillError !== null && { spillError })
  }
}
