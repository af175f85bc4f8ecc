// Where the bench finds its sources and its bundles, and where it leaves its results. The bundles lie in build/bench.

import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const buildFolder = dirname(fileURLToPath(import.meta.url))
export const root = join(buildFolder, '..', '..')
export const sourceFolder = join(root, 'test', 'bench')
export const resultsFolder = join(root, 'bench-results')
