// How a command text reaches bash: as `bash -c <command>`, or as descriptor 8 where it is too long for one argument.

import type { PreparedConfinement } from '../subprocess/prepared-confinement.js'
import type { Confinement } from './confinement.js'

/** What is to be spawned for one command. */
export interface PreparedCommand {
  readonly argv: readonly string[]
  /** Readable as descriptor 8 of the command. */
  readonly attachment?: string | undefined
  /** How its end is to be read, where an executor that confines made it. */
  readonly confinement?: Confinement | undefined
  /** The short way to what `argv` does, where its sandbox has one. */
  readonly prepared?: PreparedConfinement | undefined
}

/** MAX_ARG_STRLEN of Linux (include/uapi/linux/binfmts.h: 32 pages) without the closing NUL. */
const MAX_ARGUMENT_BYTES = 131_071

/**
 * Reads the whole text, trailing newlines included, and runs it as `-c` would: the descriptor is closed and the variable
 * gone before the first line of it runs, and the line numbers stay. Seen by the command: a syntax error says `eval:`
 * where it would say `-c:`, and `$BASH_EXECUTION_STRING` holds this prelude.
 */
const prelude = 'IFS= read -rd "" -u 8 QUIESCE_COMMAND ||:; eval "unset QUIESCE_COMMAND; exec 8<&-; $QUIESCE_COMMAND"'

export function attachedCommand(command: string): PreparedCommand {
  return { argv: ['bash', '-c', prelude], attachment: command }
}

export function bashCommand(command: string): PreparedCommand {
  // UTF-8 needs at most three bytes for each UTF-16 unit, so most texts are known to fit without being counted.
  if (command.length * 3 > MAX_ARGUMENT_BYTES && Buffer.byteLength(command) > MAX_ARGUMENT_BYTES) {
    return attachedCommand(command)
  }
  // Bash goes on looking for options after `-c`: such a text would be read as one.
  if (command.startsWith('-') || command.startsWith('+')) return { argv: ['bash', '-c', '--', command] }
  return { argv: ['bash', '-c', command] }
}
