// Copies what was built to where the published package carries it: quiesce.node, quiesce-runner and quiesce-supervisor in
// prebuilds/<platform>-<arch>[-musl]. Part of `npm pack` and `npm publish`, which must not go out without them.

import { chmodSync, copyFileSync, existsSync, mkdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { addon, programs } from './lib/build-native.mjs'
import { root, say } from './lib/run.mjs'

/** Node names the C library that it runs on only if that is glibc. */
const musl = process.platform === 'linux' && !process.report.getReport().header.glibcVersionRuntime
const folder = `prebuilds/${process.platform}-${process.arch}${musl ? '-musl' : ''}`

mkdirSync(join(root, folder), { recursive: true })
for (const built of [addon, ...programs]) {
  if (!existsSync(join(root, built))) {
    say(`${built} is missing: build it first (npm run build)`)
    process.exit(1)
  }
  const target = `${folder}/${basename(built)}`
  copyFileSync(join(root, built), join(root, target))
  if (built !== addon) chmodSync(join(root, target), 0o755)
  say(`${built} copied to ${target}`)
}
