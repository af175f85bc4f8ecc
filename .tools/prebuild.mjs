// Copies the built addon to where the published package carries it: prebuilds/<platform>-<arch>[-musl]/quiesce.node.
// Part of `npm pack` and `npm publish`, which must not go out without an addon.

import { copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { addon } from './lib/build-native.mjs'
import { root, say } from './lib/run.mjs'

/** Node names the C library that it runs on only if that is glibc. */
const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
const target = `prebuilds/${process.platform}-${process.arch}${musl ? '-musl' : ''}/quiesce.node`

if (!existsSync(join(root, addon))) {
  say(`${addon} is missing: build it first (npm run build)`)
  process.exit(1)
}
mkdirSync(dirname(join(root, target)), { recursive: true })
copyFileSync(join(root, addon), join(root, target))
say(`${addon} copied to ${target}`)
