// Runs a program where a real systemd user manager answers, whatever this machine was started with: in private namespaces,
// as root or as an ordinary user, from a cgroup of that user's or from one that root owns. Nothing of it stays.

import { spawn, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { root } from '../setup/source-imports.js'

export interface Place {
  /** 0, or any number: an unknown user gets an account and a home inside. */
  readonly uid: number
  /**
   * Where the program starts: `user`, below the user's manager, as in a desktop terminal; `session`, in a scope of root's, as
   * in an ssh login; `no-systemd`, the same namespaces without any manager.
   */
  readonly placement: 'user' | 'session' | 'no-systemd'
}

/** With a user manager. */
export const managedPlaces: readonly Place[] = [0, 4242].flatMap((uid) =>
  (['user', 'session'] as const).map((placement) => ({ uid, placement }))
)

export const describePlace = ({ uid, placement }: Place): string =>
  `${uid === 0 ? 'root' : 'an ordinary user'}, ${placement}`

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface InsideOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
  /** After it the program is ended, with status 124. */
  readonly timeoutSeconds?: number
}

const script = join(root, 'test/systemd/with-user-systemd.sh')

function argumentsFor({ uid, placement }: Place, argv: readonly string[], timeoutSeconds: number): string[] {
  const where = placement === 'no-systemd' ? ['--no-systemd'] : ['--placement', placement]
  return ['--uid', String(uid), ...where, '--timeout', String(timeoutSeconds), '--', ...argv]
}

/**
 * Resolves when the program has ended and everything around it is gone. The status is the program's (128 and the number
 * of a signal that ended it); 125 where the manager did not come up, with the reason on stderr.
 */
export function inUserSystemd(place: Place, argv: readonly string[], options: InsideOptions = {}): Promise<Ended> {
  const { cwd = '/', env, timeoutSeconds = 60 } = options
  const child = spawn(script, argumentsFor(place, argv, timeoutSeconds), {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe']
  })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject).on('close', (status, signal) => resolve({ status, signal, ...output }))
  })
}

/** For `feature('a systemd user manager', userSystemd)`: brings one up. */
export function userSystemd(): true | string {
  if (process.platform !== 'linux') return 'there is none but on Linux'
  if (process.geteuid?.() !== 0) return 'only root can bring one up'
  const { status, stderr, error } = spawnSync(script, argumentsFor({ uid: 0, placement: 'user' }, ['true'], 20), {
    encoding: 'utf8',
    // A socket, which spawnSync would make, is a remote shell to bash: it would run the start-up files of the user.
    stdio: ['ignore', 'pipe', 'pipe']
  })
  return status === 0 || stderr?.trim() || String(error ?? `status ${status}`)
}
