// One file at a time, each in a process of its own: these tests count processes, threads and descriptors, and time things.

import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('..'),
  resolve: {
    // The examples import the package by its name; tested are the sources, not what happens to be built.
    alias: [
      { find: /^quiesce$/, replacement: here('../src/index.ts') },
      { find: /^quiesce\/tool$/, replacement: here('../src/tool/index.ts') }
    ]
  },
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
