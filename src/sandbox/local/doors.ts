// Sockets by path that lead out of every backend here: whoever answers there runs things for whoever asks, unconfined.

import { accessSync, constants } from 'node:fs'
import { dirname } from 'node:path'
import { isWithin, resolvedPath } from '../canonical-path.js'
import type { SandboxProfile } from './profile.js'

function knownDoors(): string[] {
  const own = process.getuid ? `/run/user/${process.getuid()}` : null
  return [
    ...['/run/docker.sock', '/run/podman/podman.sock', '/run/containerd/containerd.sock', '/run/crio/crio.sock'],
    ...(own === null ? [] : [`${own}/bus`, `${own}/systemd/private`, `${own}/docker.sock`, `${own}/podman/podman.sock`])
  ]
}

function canBeReached(path: string): boolean {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

/** A warning for each that is there and not hidden. */
export function openDoors({ hidden }: SandboxProfile, doors: readonly string[] = knownDoors()): string[] {
  return doors.flatMap((door) => {
    const place = resolvedPath(door)
    if (place === null || !canBeReached(place) || hidden.some(({ path }) => isWithin(place, path))) return []
    const folder = dirname(place)
    const remedy = folder === '/run' ? place : folder
    return [`commands can reach the socket ${place}, whose service is not confined: name ${remedy} in hiddenPaths`]
  })
}
