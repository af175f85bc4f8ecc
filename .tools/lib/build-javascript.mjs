// dist: bundled ES modules by esbuild and declarations by tsc.
// Bundled, because resolving and reading some sixty small modules costs a host more than running them.

import { chmodSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { withoutBuiltinImports } from './builtin-imports.mjs'
import { refresh } from './freshness.mjs'
import { root, runTool, say, tool } from './run.mjs'

const entries = {
  index: 'src/index.ts',
  'tool/index': 'src/tool/index.ts',
  'dsh/index': 'src/dsh/index.ts',
  'cli/main': 'src/cli/main.ts'
}
const inputs = ['src', 'package.json', 'tsconfig.json', '.tools/lib', 'package-lock.json']

async function bundle() {
  const esbuild = await import('esbuild')
  const { outputFiles } = await esbuild.build({
    absWorkingDir: root,
    entryPoints: entries,
    outdir: 'dist',
    bundle: true,
    // What is loaded on demand stays in files of its own.
    splitting: true,
    chunkNames: 'chunks/[name]-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20.19',
    packages: 'external',
    legalComments: 'none',
    logLevel: 'warning',
    write: false
  })
  for (const { path, text } of outputFiles) {
    // Fewer bytes are read and compiled sooner. Names and lines stay, for stack traces.
    const options = { minifyWhitespace: true, minifySyntax: true, lineLimit: 120, target: 'node20.19' }
    const { code } = await esbuild.transform(withoutBuiltinImports(text), options)
    mkdirSync(dirname(path), { recursive: true })
    writeFileSync(path, code)
  }
}

/** The command line is started by its path: a shebang first and the execute bits set. */
function makeExecutable(path) {
  const text = readFileSync(path, 'utf8')
  if (!text.startsWith('#!')) writeFileSync(path, `#!/usr/bin/env node\n${text}`)
  chmodSync(path, 0o755)
}

async function build() {
  say('building dist')
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  const status = runTool(tool.tsc, ['-p', 'tsconfig.json', '--emitDeclarationOnly'])
  if (status !== 0) return status
  await bundle()
  makeExecutable(join(root, 'dist/cli/main.js'))
  return 0
}

export function buildJavaScript() {
  return refresh({ name: 'dist', inputs, outputs: ['dist/index.js', 'dist/index.d.ts', 'dist/cli/main.js'], build })
}
