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
