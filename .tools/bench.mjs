// npm run bench: installs what is measured beside this library, bundles test/bench into build/bench and runs it there.

import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { bundlePrograms } from './lib/bundle-programs.mjs'
import { installDependencies } from './lib/dependencies.mjs'
import { root, runTool, say } from './lib/run.mjs'
import { setUp } from './lib/setup.mjs'

const args = process.argv.slice(2)
const status = await setUp()
if (status !== 0) process.exit(status)

if (!args.includes('--help') && installDependencies({ folder: 'test/bench/peers', quiet: true }) !== 0) {
  say('the packages of test/bench/peers could not be installed; what they hold is left out')
}

/** From build/bench the name of this package means the built one, and through this link those of the peers mean theirs. */
function linkPeers() {
  const link = join(root, 'build/bench/node_modules')
  mkdirSync(join(root, 'build/bench'), { recursive: true })
  if (!existsSync(link)) symlinkSync('../../test/bench/peers/node_modules', link)
}

const contenders = readdirSync(join(root, 'test/bench/contenders')).filter((name) => name.endsWith('.ts'))
const programs = [
  'main.ts',
  'empty.ts',
  'import-time.ts',
  'sandbox-host.ts',
  'jobs-host.ts',
  'dsh-host.ts',
  ...contenders.map((name) => `contenders/${name}`)
]
await bundlePrograms('test/bench', programs, 'build/bench')
if (existsSync(join(root, 'test/bench/peers/node_modules'))) linkPeers()
process.exit(runTool('build/bench/main.mjs', args, { stdio: 'inherit' }))
