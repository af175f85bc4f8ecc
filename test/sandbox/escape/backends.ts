// The ways to confine that are put to the test, each with the arguments that the provider puts before a command.

import { bwrapArguments } from '../../../src/sandbox/local/bwrap-arguments.js'
import type { SandboxProfile } from '../../../src/sandbox/local/profile.js'
import { landlockBackend, nativeBackend } from '../../../src/sandbox/local/runner-backends.js'

export type ConfinedMode = SandboxProfile['mode']

export interface Confinement {
  readonly backend: BackendName
  readonly mode: ConfinedMode
  /** Who makes the attack, or does the work. */
  readonly uid: number
}

export interface Places {
  readonly runner: string
  readonly workspace: string
  /** Writable in workspace-write, the workspace among them. */
  readonly roots: readonly string[]
  readonly hidden: SandboxProfile['hidden']
}

type Launcher = (runner: string, profile: SandboxProfile) => readonly string[]

const launchers = {
  none: (): string[] => [],
  native: nativeBackend.prefix,
  /** The same, but entered by the native provider itself. */
  prepared: nativeBackend.prefix,
  bwrap: (_: string, profile: SandboxProfile) => ['bwrap', ...bwrapArguments(profile)],
  landlock: landlockBackend.prefix
} as const satisfies Record<string, Launcher>

export type BackendName = keyof typeof launchers

export function prefixOf({ backend, mode }: Confinement, { runner, workspace, roots, hidden }: Places): string[] {
  const writable = mode === 'read-only' ? [] : roots
  const profile = { mode, workspaceRoot: workspace, roots: writable, hidden, network: 'host' } as const
  return [...launchers[backend](runner, profile)]
}
