// One listener on the process's 'exit' event for all runtimes: the synchronous last resort for what is still owned.
// It stands before other listeners, contains every failure and never touches the exit code.

/** Kills what it owns, synchronously; must be quick and may throw. */
export interface ExitTarget {
  hostExit(): void
}

const targets = new Set<ExitTarget>()

export function addExitTarget(target: ExitTarget): void {
  if (targets.size === 0) process.prependListener('exit', onExit)
  targets.add(target)
}

export function removeExitTarget(target: ExitTarget): void {
  if (targets.delete(target) && targets.size === 0) process.removeListener('exit', onExit)
}

function onExit(): void {
  for (const target of targets) {
    try {
      target.hostExit()
    } catch {
      // The next target still has to be ended, and an error thrown here would replace the exit code of the host.
    }
  }
}
