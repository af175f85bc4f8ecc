// The ways to confine that are put to the test: a name, and the arguments that stand before the command's own.

import { execFileSync } from 'node:child_process'
import type { FeatureProbe } from '../../setup/features.js'

export type ConfinedMode = 'read-only' | 'workspace-write'

export interface Confinement {
  readonly backend: BackendName
  readonly mode: ConfinedMode
  /** Who makes the attack. */
  readonly uid: number
}

export interface Places {
  readonly runner: string
  /** Writable in workspace-write. */
  readonly roots: readonly string[]
  readonly hiddenFolders: readonly string[]
  readonly hiddenFiles: readonly string[]
}

type Launcher = (mode: ConfinedMode, places: Places) => string[]

const each = (option: string, paths: readonly string[]): string[] => paths.flatMap((path) => [option, path])
const writable = (mode: ConfinedMode, { roots }: Places): readonly string[] => (mode === 'read-only' ? [] : roots)

const native: Launcher = (mode, places) => [
  ...[places.runner, 'confine', ...each('--rw', writable(mode, places))],
  ...[...each('--hide', [...places.hiddenFolders, ...places.hiddenFiles]), '--']
]

const landlock: Launcher = (mode, places) => [
  ...[places.runner, 'confine', '--landlock-only', ...each('--rw', writable(mode, places)), '--']
]

const bwrap: Launcher = (mode, places) => [
  ...['bwrap', '--ro-bind', '/', '/', '--dev', '/dev', '--unshare-pid', '--unshare-ipc', '--proc', '/proc'],
  ...['sys', 'irq', 'fs', 'bus'].flatMap((name) => ['--ro-bind-try', `/proc/${name}`, `/proc/${name}`]),
  ...writable(mode, places).flatMap((path) => ['--bind', path, path]),
  ...places.hiddenFolders.flatMap((path) => ['--tmpfs', path, '--remount-ro', path]),
  ...places.hiddenFiles.flatMap((path) => ['--ro-bind', '/dev/null', path]),
  ...['--cap-drop', 'ALL', '--die-with-parent', '--']
]

export const launchers = { none: (): string[] => [], native, bwrap, landlock } as const satisfies Record<
  string,
  Launcher
>

export type BackendName = keyof typeof launchers

export const bubblewrap: FeatureProbe = () => {
  execFileSync('bwrap', ['--ro-bind', '/', '/', 'true'], { stdio: 'pipe' })
  return true
}
