// One name for one place: paths of a policy are compared and handed on as the kernel resolves them.

import { realpathSync } from 'node:fs'
import { checkText } from '../subprocess/preflight-values.js'

/** The place that `path` leads to, symbolic links followed before `..` is; `null` if it leads nowhere. */
export function resolvedPath(path: string): string | null {
  try {
    return realpathSync.native(path)
  } catch {
    return null
  }
}

/** The same; the spelling as given where it leads nowhere. */
export function canonicalPath(path: string): string {
  checkText('path', path)
  return resolvedPath(path) ?? path
}

/** `path` is `folder` or lies below it. Both canonical. */
export function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder === '/' ? '/' : `${folder}/`)
}
