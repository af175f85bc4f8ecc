// Sentences about terminals that other programs rely on, word for word.

export function writeAfterExit(): Error {
  return new Error('terminal process has exited')
}

export function foregroundUnknown(pid: number): Error {
  return new Error(`cannot resolve foreground process group for terminal ${pid}`)
}

export function shellKillRefused(): Error {
  return new Error('refusing to SIGKILL the terminal shell; terminate the terminal session instead')
}

export function cleanupFailed(pids: readonly number[]): Error {
  return new Error(`terminal cleanup failed; surviving pid(s): ${pids.join(', ')}`)
}

export function inputQueueFull(): Error {
  return new Error('terminal input queue is full')
}

/** What N_TTY_BUF_SIZE leaves for a line besides its end. */
const mostLineBytes = 4095

/** Nothing of it was typed: the kernel would drop the rest of the line without a word. */
export function lineTooLong(bytes: number): Error & { readonly code: 'EMSGSIZE' } {
  const message =
    `terminal input of ${bytes} bytes has a line of more than ${mostLineBytes} bytes, which the terminal would cut off: ` +
    'it is in line mode, where a program gets whole lines'
  return Object.assign(new Error(message), { code: 'EMSGSIZE' as const })
}
