// The arguments of bubblewrap for a profile; also the shape that an operator's own runner is given.

import { isWithin } from '../canonical-path.js'
import type { HiddenPath, SandboxProfile } from './profile.js'

/** What a fresh /proc offers to root for writing and must not: these are settings of the machine. */
const settingsInProc = [
  '/proc/sys',
  '/proc/sysrq-trigger',
  '/proc/irq',
  '/proc/bus',
  '/proc/fs',
  '/proc/acpi',
  '/proc/mtrr'
]

const byLength = (left: string, right: string): number => left.length - right.length

/** The shortest first, so that a root inside another is laid over it; one that another holds needs no mount of its own. */
function ownMounts(roots: readonly string[]): string[] {
  const sorted = [...roots].sort(byLength)
  return sorted.filter((root) => !sorted.some((other) => other !== root && isWithin(root, other)))
}

/** `/tmp` is laid first, empty, and what may be written to below it is bound back in. */
function writable({ mode, roots, workspaceRoot }: SandboxProfile): string[] {
  if (mode === 'read-only') return []
  const privateTmp = workspaceRoot !== '/tmp' && roots.includes('/tmp')
  const asked = privateTmp ? roots.filter((root) => root !== '/tmp') : roots
  return [...(privateTmp ? ['--tmpfs', '/tmp'] : []), ...ownMounts(asked).flatMap((root) => ['--bind', root, root])]
}

/** A device node on a mount without devices cannot be opened at all, so nothing of the file can be read or written. */
function hide({ path, isFolder }: HiddenPath): string[] {
  return isFolder ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path]
}

export function bwrapArguments(profile: SandboxProfile): string[] {
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--unshare-pid', '--unshare-ipc', '--proc', '/proc'],
    ...settingsInProc.flatMap((path) => ['--ro-bind-try', path, path]),
    ...writable(profile),
    ...profile.hidden.flatMap(hide),
    ...(profile.network === 'none' ? ['--unshare-net'] : []),
    ...['--cap-drop', 'ALL', '--die-with-parent', '--']
  ]
}
