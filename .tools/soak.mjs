// npm run soak: bundles test/soak into build/soak and runs it on the built package.

import { bundlePrograms } from './lib/bundle-programs.mjs'
import { runTool } from './lib/run.mjs'
import { setUp } from './lib/setup.mjs'

const status = await setUp()
if (status !== 0) process.exit(status)
await bundlePrograms('test/soak', ['main.ts'], 'build/soak')
process.exit(runTool('build/soak/main.mjs', process.argv.slice(2), { stdio: 'inherit' }))
