// Test code that the body of a host imports: bundled, since a host knows no TypeScript.

import { execFileSync } from 'node:child_process'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { root } from '../setup/source-imports.js'

/** The URL, as a quoted text, of the bundle of `path`, which is relative to the root of the checkout. */
export function hostModule(path: string): string {
  const bundle = join(root, 'build-lifecycle', `${basename(path, '.ts')}.mjs`)
  const args = [path, `--outfile=${bundle}`, '--bundle', '--format=esm', '--platform=node', '--log-level=error']
  execFileSync(join(root, 'node_modules/.bin/esbuild'), args, { cwd: root })
  return JSON.stringify(pathToFileURL(bundle).href)
}
