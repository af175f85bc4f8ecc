// One file at a time, each in a process of its own: these tests count processes, threads and descriptors, and time things.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('..'),
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: [here('./setup/leak-check.ts')],
    pool: 'forks',
    fileParallelism: false,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000
  }
})
