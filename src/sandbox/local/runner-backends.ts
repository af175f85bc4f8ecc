// The two backends of the package's own runner: with namespaces and Landlock, and with Landlock alone.

import { irreplaceableRunnerPath, runnerPath } from '../../native/runner-path.js'
import { prepareConfinement } from '../prepared.js'
import type { RunnerFailureRule } from '../types.js'
import { BackendProblem, type SandboxBackend, type Strength } from './backend.js'
import type { SandboxProfile } from './profile.js'
import { replaceable } from './replaceable.js'

/** Where the runner has to do without namespaces, it says so with every command, and the command runs. */
function runnerFailureRules({ enforcement, notGoverned }: Strength): RunnerFailureRule[] {
  const notice = `quiesce-runner: partial: ${notGoverned.join('; ')}`
  const informationalLines = enforcement === 'partial' ? [notice] : []
  return [{ allowedExitCodes: [125], fatalSignatures: ['quiesce-runner: '], informationalLines }]
}

function options({ roots, hidden, network }: SandboxProfile): string[] {
  return [
    ...roots.flatMap((root) => ['--rw', root]),
    ...hidden.flatMap(({ path }) => ['--hide', path]),
    ...(network === 'none' ? ['--network', 'none'] : [])
  ]
}

/** One that commands may replace would confine those that come after them in name only. */
function pathFor(profile: SandboxProfile): string | null {
  const path = runnerPath()
  if (path === null || replaceable(path, profile).length === 0) return path
  return irreplaceableRunnerPath() ?? path
}

async function locate(profile: SandboxProfile): Promise<string> {
  const path = process.platform === 'linux' ? pathFor(profile) : null
  if (path !== null) return path
  if (process.platform !== 'linux') throw new BackendProblem('it is for Linux only')
  throw new BackendProblem(
    `the program quiesce-runner is not part of this installation (${process.platform}-${process.arch})`,
    'build it where the package lies: npx cmake-js compile'
  )
}

/** `quiesce-runner: full`, or `quiesce-runner: partial: ` and what is not governed, divided by semicolons. */
function readStrength(output: string): Strength | null {
  const [, word, gaps = ''] = /^quiesce-runner: (full|partial)(?:: (.*))?$/m.exec(output) ?? []
  if (word !== 'full' && word !== 'partial') return null
  const notGoverned = gaps.split(';').map((gap) => gap.trim())
  return { enforcement: word, notGoverned: notGoverned.filter((gap) => gap !== '') }
}

function report(...more: readonly string[]): NonNullable<SandboxBackend['report']> {
  return {
    argv: (program, profile) => [program, 'confine', '--probe', ...more, ...options(profile)],
    read: readStrength
  }
}

export const nativeBackend: SandboxBackend = {
  name: 'native',
  // Where both say no, the read-only mount is asked first; Landlock alone refuses what is no file of a mount.
  denialSignatures: ['read-only file system', 'permission denied'],
  runnerFailureRules,
  refusal: () => null,
  locate,
  prefix: (program, profile) => [program, 'confine', ...options(profile), '--'],
  report: report(),
  shortcut: prepareConfinement
}

export const landlockBackend: SandboxBackend = {
  name: 'landlock',
  denialSignatures: ['permission denied'],
  runnerFailureRules,
  refusal: ({ hidden, network }) => {
    if (hidden.length > 0) return 'Landlock alone cannot hide paths'
    return network === 'none' ? 'Landlock alone cannot take the network away' : null
  },
  locate,
  prefix: (program, profile) => [program, 'confine', '--landlock-only', ...options(profile), '--'],
  report: report('--landlock-only')
}
