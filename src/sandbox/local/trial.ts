// Tries what a backend claims: a shell runs under the real profile and does what the profile forbids.

import { accessSync, constants } from 'node:fs'
import { join } from 'node:path'
import { isWithin } from '../canonical-path.js'
import { BackendProblem, type SandboxBackend } from './backend.js'
import { failureOf, type ProbeTerms, runProbe } from './probe-run.js'
import type { SandboxProfile } from './profile.js'
import { ownNetwork, setTrap, type Trap } from './trap.js'

/** Takes the folder of the trap and, last, the workspace. Says what it could do, a line each; failing is its success. */
const script = `
echo began
(echo harmed > "$1/target") 2>/dev/null
(echo harmed > "$1/made") 2>/dev/null
rm -f "$1/kept" 2>/dev/null
(read -r text < "$1/secret" || [ -n "$text" ]) 2>/dev/null && echo "secret $(cat "$1/secret" 2>/dev/null)"
network=$(readlink /proc/self/ns/net 2>/dev/null) && echo "network $network"
[ -w "$2" ] && echo workspace
exit 0
`

function isWritable(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** The profile lets a command write to the workspace, and so does the file system. */
function offersWorkspace({ mode, workspaceRoot, hidden }: SandboxProfile): boolean {
  const isHidden = hidden.some(({ path }) => isWithin(workspaceRoot, path))
  return mode === 'workspace-write' && !isHidden && isWritable(workspaceRoot)
}

/** What the program could do and must not, or could not do and must; `null` if it is confined as the profile says. */
function fault(profile: SandboxProfile, trap: Trap, lines: readonly string[]): string | null {
  if (lines.includes(`secret ${trap.token}`)) return 'it does not confine: it could read a hidden file'
  if (profile.network === 'none' && process.platform === 'linux') {
    const told = lines.find((line) => line.startsWith('network '))
    if (told === undefined || told === `network ${ownNetwork()}`) return 'it does not take the network away'
  }
  return offersWorkspace(profile) && !lines.includes('workspace') ? 'the workspace cannot be written to under it' : null
}

function withSecret(profile: SandboxProfile, trap: Trap): SandboxProfile {
  return { ...profile, hidden: [...profile.hidden, { path: join(trap.folder, 'secret'), isFolder: false }] }
}

export interface Trial {
  readonly backend: SandboxBackend
  readonly program: string
  readonly profile: SandboxProfile
  readonly terms: ProbeTerms
  /** Through the backend's short way, where the runtime can take it. */
  readonly short: boolean
}

function runUnder({ backend, program, terms, short }: Trial, profile: SandboxProfile, argv: readonly string[]) {
  const prefix = backend.prefix(program, profile)
  return runProbe([...prefix, ...argv], terms, short ? backend.shortcut?.(prefix, argv) : undefined)
}

async function attempt(trial: Trial, trap: Trap): Promise<void> {
  const { profile } = trial
  const tried = profile.hidden.length > 0 ? withSecret(profile, trap) : profile
  const argv = ['sh', '-c', script, 'sh', trap.folder, profile.workspaceRoot]
  const end = await runUnder(trial, tried, argv)
  const harm = await trap.harm()
  if (harm !== null) throw new BackendProblem(`it does not confine: ${harm}`)
  if (end.exitCode !== 0) throw new BackendProblem(failureOf(end))
  // Without a hidden path nobody asked for a secret to be kept.
  const lines = end.stdout.split('\n').filter((line) => tried !== profile || !line.startsWith('secret '))
  if (lines[0] !== 'began') throw new BackendProblem('it did not run the command')
  const found = fault(profile, trap, lines)
  if (found !== null) throw new BackendProblem(found)
}

async function attemptInTrap(trial: Trial): Promise<boolean> {
  const trap = await setTrap(trial.profile)
  if (trap === null) return false
  try {
    await attempt(trial, trap)
  } finally {
    await trap.remove()
  }
  return true
}

/** With the real profile and no trap: that a command runs at all. */
async function attemptToStart(trial: Trial): Promise<void> {
  const end = await runUnder(trial, trial.profile, ['sh', '-c', 'echo began'])
  if (end.exitCode !== 0) throw new BackendProblem(failureOf(end))
  if (end.stdout !== 'began\n') throw new BackendProblem('it did not run the command')
}

/**
 * Where everything that this process may write to is a writable root, no write can be forbidden, and the backend is tried
 * without those roots.
 * @throws BackendProblem unless a command really runs, and really confined.
 */
export async function tryBackend(trial: Trial): Promise<void> {
  if (await attemptInTrap(trial)) return
  const bare: SandboxProfile = { ...trial.profile, mode: 'read-only', roots: [] }
  if (!(await attemptInTrap({ ...trial, profile: bare }))) {
    throw new BackendProblem('there is no folder in which this process could try a forbidden write')
  }
  await attemptToStart(trial)
}
