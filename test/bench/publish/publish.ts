// Writes what the README shows of a run: docs/benchmark.svg and the figures between its markers.

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../places.js'
import type { Run } from '../run.js'
import { chartOf } from './chart.js'
import { withFigures } from './readme.js'

/** The files written. @throws Error for a run that is not whole: the README's figures come from one run. */
export async function publish(run: Run): Promise<string[]> {
  if (!run.whole) throw new Error('only a whole run is published: all scenarios at their full length')
  const chart = await chartOf(run)
  const readme = withFigures(readFileSync(join(root, 'README.md'), 'utf8'), run)
  mkdirSync(join(root, 'docs'), { recursive: true })
  writeFileSync(join(root, 'docs/benchmark.svg'), chart)
  writeFileSync(join(root, 'README.md'), readme)
  return ['docs/benchmark.svg', 'README.md']
}
