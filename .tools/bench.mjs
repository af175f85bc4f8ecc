// npm run bench: installs what is measured beside this library, bundles test/bench into build/bench and runs it there.

import { existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
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

const esbuild = await import('esbuild')
const contenders = readdirSync(join(root, 'test/bench/contenders')).filter((name) => name.endsWith('.ts'))
await esbuild.build({
  absWorkingDir: root,
  entryPoints: [
    'test/bench/main.ts',
    'test/bench/empty.ts',
    'test/bench/import-time.ts',
    ...contenders.map((name) => `test/bench/contenders/${name}`)
  ],
  outdir: 'build/bench',
  outbase: 'test/bench',
  outExtension: { '.js': '.mjs' },
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20.19',
  // Packages stay outside, and so does this one: the bench measures what a user imports.
  packages: 'external',
  logLevel: 'warning'
})
if (existsSync(join(root, 'test/bench/peers/node_modules'))) linkPeers()
process.exit(runTool('build/bench/main.mjs', args, { stdio: 'inherit' }))
