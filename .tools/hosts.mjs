// Installs the other programs that the built package is tested in (test/hosts): another Node or two, and Bun. Called by
// their tests; exit status 0 when they are there.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installDependencies } from './lib/dependencies.mjs'
import { root, say } from './lib/run.mjs'

const folder = 'test/hosts'
const glibc = process.platform === 'linux' && process.report.getReport().header.glibcVersionRuntime !== undefined

if (!glibc || process.arch !== 'x64') {
  say(`the programs of ${folder} are for Linux on x64 with glibc`)
  process.exit(1)
}
// Without a network that is soon known.
process.env.npm_config_fetch_retries ??= '1'
const status = installDependencies({ folder, quiet: true })
process.exit(status || Number(!existsSync(join(root, folder, 'node_modules/bun'))))
