// What every command of this checkout begins with: packages installed, dist and the addon up to date.
// Plain Node only, since it runs before anything is installed. Quiet and fast when nothing changed.

import { buildJavaScript } from './build-javascript.mjs'
import { buildNative } from './build-native.mjs'
import { buildPty } from './build-pty.mjs'
import { installDependencies } from './dependencies.mjs'
import { say } from './run.mjs'

/**
 * Exit status: 0 when dist is usable. An addon that does not compile is told, and is an error only with `strict`: without
 * it the package works through its fallback.
 */
export async function setUp({ strict = false } = {}) {
  const status = installDependencies() || (await buildJavaScript())
  if (status !== 0) return status
  buildPty()
  if ((await buildNative()) !== 'failed') return 0
  say(`the native addon did not compile; see the messages above${strict ? '' : '. Going on without it'}`)
  return strict ? 1 : 0
}
