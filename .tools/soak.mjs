// npm run soak: bundles test/soak into build/soak and runs it on the built package.

import { bundlePrograms } from './lib/bundle-programs.mjs'
import { runTool } from './lib/run.mjs'
import { setUp } from './lib/setup.mjs'

const status = await setUp()
if (status !== 0) process.exit(status)
await bundlePrograms('test/soak', ['main.ts'], 'build/soak')
// glibc keeps tens of megabytes of free memory in an arena for each thread, and large blocks once some were freed; V8 lets
// its young generation grow to 32 MiB. Without that, resident memory tells what the process holds. Set other values to see
// what a host of yours would keep.
const env = {
  MALLOC_ARENA_MAX: '1',
  MALLOC_MMAP_THRESHOLD_: '32768',
  NODE_OPTIONS: '--max-semi-space-size=1',
  ...process.env
}
process.exit(runTool('build/soak/main.mjs', process.argv.slice(2), { stdio: 'inherit', env }))
