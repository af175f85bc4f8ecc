// A policy as the backends see it: canonical, with what exists now. Two policies with equal profiles are confined alike, so
// the profile is also what a choice of backend is remembered by.

import { existsSync, statSync } from 'node:fs'
import { canonicalPath, resolvedPath } from '../canonical-path.js'
import type { SandboxExecutionPolicy, SandboxNetwork } from '../types.js'
import { writableRoots } from '../writable-roots.js'

export interface HiddenPath {
  readonly path: string
  readonly isFolder: boolean
}

export interface SandboxProfile {
  readonly mode: 'read-only' | 'workspace-write'
  readonly workspaceRoot: string
  readonly roots: readonly string[]
  readonly hidden: readonly HiddenPath[]
  readonly network: SandboxNetwork
}

/** A path that leads nowhere, or that this process may not look at, is nothing that a command could read. */
function hiddenPath(path: string): HiddenPath | [] {
  // Most of a list of common secrets do not exist, and an error that is made and caught costs ten times as much as this.
  if (!existsSync(path)) return []
  const place = resolvedPath(path)
  const stat = place === null ? undefined : statSync(place, { throwIfNoEntry: false })
  return place === null || stat === undefined ? [] : { path: place, isFolder: stat.isDirectory() }
}

export function profileOf(policy: SandboxExecutionPolicy): SandboxProfile {
  const roots = writableRoots(policy)
  return {
    mode: policy.mode === 'workspace-write' ? 'workspace-write' : 'read-only',
    // The first of the roots is the workspace.
    workspaceRoot: roots[0] ?? canonicalPath(policy.workspaceRoot),
    roots,
    hidden: policy.hiddenPaths?.flatMap(hiddenPath) ?? [],
    network: policy.network ?? 'host'
  }
}

export const keyOf = (profile: SandboxProfile): string => JSON.stringify(profile)
