// The shell of a terminal: an interactive bash without start-up files, whose prompts carry marks that only this session knows,
// so that no output of a command passes for one.

import type { SubprocessEnvironment } from '../subprocess/types.js'

/** What can run in a terminal. Others may be registered beside `bash`. */
export interface TerminalBackend {
  readonly name: string
  /** `nonce` is random and for this one terminal. */
  launch(nonce: string): TerminalLaunch
}

export interface TerminalLaunch {
  readonly argv: readonly string[]
  readonly env: SubprocessEnvironment
  /** What the prompt is, exactly; absent where the program has none that is marked. */
  readonly prompt?: string | undefined
  /** The same of the prompt for the rest of an unfinished command. */
  readonly continuation?: string | undefined
}

const prompt = 'dsh> '
const continuation = '> '

/** Names of the marks, as `OSC 133` has them: the end of a command, the beginning of a prompt. */
export const endMark = '133;D'
export const continuationMark = '133;P;k=s'

export const bashBackend: TerminalBackend = {
  name: 'bash',
  launch: (nonce) => ({
    argv: ['/bin/bash', '--noprofile', '--norc', '-i'],
    env: {
      ENV: undefined,
      BASH_ENV: undefined,
      HISTFILE: '/dev/null',
      NO_COLOR: '1',
      PAGER: 'cat',
      GIT_PAGER: 'cat',
      PS1: prompt,
      PS2: continuationPrompt(nonce),
      PROMPT_COMMAND: promptCommand(nonce)
    },
    prompt,
    continuation
  })
}

/**
 * Runs before each prompt: tells how the command ended, and undoes what it may have done to the prompts. The mark goes to
 * the terminal itself, wherever the command has sent the shell's own output.
 */
export function promptCommand(nonce: string): string {
  const mark = `\\builtin printf '\\033]${endMark};%s;${nonce}\\007' "$?" >/dev/tty`
  return `${mark}; PS1='${prompt}'; PS2='${continuationPrompt(nonce)}'; \\builtin export -n PS1 PS2 PROMPT_COMMAND`
}

function continuationPrompt(nonce: string): string {
  return `\\[\\e]${continuationMark};${nonce}\\a\\]${continuation}`
}
