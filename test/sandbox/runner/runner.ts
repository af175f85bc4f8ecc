// Runs the built quiesce-runner as root and as an ordinary user, and tells everything of how it ended.

import { spawnSync } from 'node:child_process'
import { chmodSync, mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { runnerPath } from '../../../src/native/runner-path.js'
import { type FeatureTest, feature } from '../../setup/features.js'

export interface Ended {
  readonly status: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly cwd?: string
  readonly env?: NodeJS.ProcessEnv
}

const timeout = 20_000

/** Someone on whose behalf the runner is started. */
export interface Caller {
  readonly name: string
  readonly uid: number
  /** A test that needs this caller, and namespaces and Landlock for it. */
  readonly test: FeatureTest
  /** Starts any program as this caller. */
  start(argv: readonly string[], options?: RunOptions): Ended
  /** `quiesce-runner confine` with these arguments. */
  confine(args: readonly string[], options?: RunOptions): Ended
  /** What bash prints under `options` of the runner; throws unless it ends well. */
  bash(script: string, options: readonly string[], run?: RunOptions): string
}

export const runner = runnerPath() ?? ''

function caller(name: string, uid: number): Caller {
  const start = (argv: readonly string[], { cwd = '/', env = process.env }: RunOptions = {}): Ended => {
    const [program = '', ...args] = argv
    const ids = uid === process.geteuid?.() ? {} : { uid, gid: uid }
    const { error, status, signal, stdout, stderr } = spawnSync(program, args, {
      ...{ cwd, env, encoding: 'utf8', timeout, killSignal: 'SIGKILL' },
      ...ids
    })
    if (error !== undefined) throw error
    return { status, signal, stdout, stderr }
  }
  const confine: Caller['confine'] = (args, options) => start([runner, 'confine', ...args], options)
  return {
    name,
    uid,
    start,
    confine,
    bash(script, options, run) {
      const ended = confine([...options, '--', '/bin/bash', '-c', script], run)
      if (ended.status !== 0) throw new Error(`${script}: ${JSON.stringify(ended)}`)
      return ended.stdout
    },
    test: feature(`full confinement as ${name}`, () => {
      if (runner === '') return 'quiesce-runner is not built here'
      if (uid !== process.geteuid?.() && process.geteuid?.() !== 0) return 'only root can become another user'
      const { stdout, stderr } = confine(['--probe'])
      return stdout === 'quiesce-runner: full\n' || `it says ${JSON.stringify(stdout + stderr)}`
    })
  }
}

export const root = caller('root', 0)
export const user = caller('an ordinary user', process.geteuid?.() === 0 ? 4242 : (process.geteuid?.() ?? 4242))

/** Both of them. */
export const callers: readonly Caller[] = [root, user]

/** The line that the runner fails with, and its status. */
export const failed = (line: string): Ended => ({
  ...{ status: 125, signal: null, stdout: '' },
  stderr: `quiesce-runner: ${line}\n`
})

export const ended = (stdout: string): Ended => ({ status: 0, signal: null, stdout, stderr: '' })

/** A folder that everyone may write to, and that goes away with the test file. */
export function openFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), `quiesce-${process.pid}-runner-`)))
  chmodSync(folder, 0o777)
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
