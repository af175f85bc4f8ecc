// npm run bench: bundles test/bench into build/bench and runs it on the built package.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root, runTool } from './lib/run.mjs'
import { setUp } from './lib/setup.mjs'

const status = await setUp()
if (status !== 0) process.exit(status)

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
process.exit(runTool('build/bench/main.mjs', process.argv.slice(2), { stdio: 'inherit' }))
