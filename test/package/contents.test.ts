// What is in the tarball, and what is not.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root, sourceFiles } from '../setup/source-imports.js'
import { addonPath, pack, temporaryFolder, withAddon } from './packed.js'

const folder = temporaryFolder()
const tarball = pack(folder)
execFileSync('tar', ['-xzf', tarball, '-C', folder])
const unpacked = join(folder, 'package')
const files = execFileSync('tar', ['-tzf', tarball], { encoding: 'utf8' })
  .trim()
  .split('\n')
  .map((path) => path.replace(/^package\//, ''))

function run(tool: string, ...args: string[]): string {
  return execFileSync(process.execPath, [join(root, 'node_modules', tool), ...args], { cwd: folder, encoding: 'utf8' })
}

describe('the tarball', () => {
  it('holds what is needed to run and to build, and nothing else', () => {
    const allowed =
      /^(?:dist\/|native\/|prebuilds\/[a-z0-9-]+\/quiesce(?:\.node|-runner|-supervisor)$|CMakeLists\.txt$|package\.json$|README\.md$|LICENSE$|CHANGELOG\.md$)/
    expect(files.filter((path) => !allowed.test(path))).toEqual([])
    const needed = [
      ...['dist/index.js', 'dist/index.d.ts', 'dist/tool/index.js', 'dist/tool/index.d.ts', 'dist/cli/main.js'],
      ...['dist/dsh/index.js', 'dist/dsh/index.d.ts'],
      ...['CMakeLists.txt', 'LICENSE', 'README.md']
    ]
    expect(needed.filter((path) => !files.includes(path))).toEqual([])
    expect(sourceFiles('native', '.cc', '.h').filter((path) => !files.includes(path))).toEqual([])
  })

  it('runs nothing when it is installed', () => {
    const { scripts = {}, gypfile } = JSON.parse(readFileSync(join(unpacked, 'package.json'), 'utf8'))
    expect({
      gypfile,
      scripts: ['preinstall', 'install', 'postinstall', 'prepare'].filter((name) => name in scripts),
      binding: files.includes('binding.gyp')
    }).toEqual({ gypfile: false, scripts: [], binding: false })
  })

  it('marks the command line as executable and gives it a shebang', () => {
    const path = join(unpacked, 'dist/cli/main.js')
    expect({ mode: statSync(path).mode & 0o777, head: readFileSync(path, 'utf8').split('\n')[0] }).toEqual({
      mode: 0o755,
      head: '#!/usr/bin/env node'
    })
  })

  it('names no path of the machine that packed it and no package registry', () => {
    const traces = [root, 'registry.npmjs', 'deb.debian.org'].map((text) => Buffer.from(text))
    const found = files.filter((path) => {
      const content = readFileSync(join(unpacked, path))
      return traces.some((trace) => content.includes(trace))
    })
    expect(found).toEqual([])
  })

  it('has types that resolve for every kind of importer', () => {
    const report = run('@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only', '--format', 'json')
    expect(
      JSON.parse(report).analysis.problems.filter((problem: { kind: string }) => problem.kind !== 'CJSResolvesToESM')
    ).toEqual([])
  })

  it('passes publint without a remark', () => {
    expect(run('publint/src/cli.js', tarball, '--strict')).toContain('All good!')
  })
})

describe('the addon', () => {
  withAddon('uses no symbol of libuv', () => {
    const symbols = execFileSync('nm', ['-D', addonPath], { encoding: 'utf8' })
    expect(symbols.split('\n').filter((line) => /\buv_/.test(line))).toEqual([])
    expect(symbols).toContain('napi_')
  })

  withAddon('carries the C++ library in itself', () => {
    const dynamic = execFileSync('objdump', ['-p', addonPath], { encoding: 'utf8' })
    const needed = [...dynamic.matchAll(/NEEDED\s+(\S+)/g)].map((match) => match[1])
    expect(needed.filter((name) => /stdc\+\+|gcc_s/.test(name ?? ''))).toEqual([])
  })

  withAddon('is in the tarball under the name of this platform', () => {
    const prebuilt = files.filter((path) => path.startsWith('prebuilds/'))
    expect(prebuilt.some((path) => path.startsWith(`prebuilds/${process.platform}-${process.arch}`))).toBe(true)
  })
})

describe('the runner', () => {
  const packed = files.filter((path) => path.endsWith('/quiesce-runner')).map((path) => join(unpacked, path))

  withAddon('lies beside the addon, and can be executed as it is unpacked', () => {
    expect(
      packed.map((path) => [existsSync(join(dirname(path), 'quiesce.node')), statSync(path).mode & 0o777])
    ).toEqual([[true, 0o755]])
    const { status, stdout, stderr } = spawnSync(packed[0] ?? '', ['confine'], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({
      ...{ status: 125, stdout: '' },
      stderr: 'quiesce-runner: options: missing program: -- PROGRAM\n'
    })
  })

  withAddon('needs no library', () => {
    const dynamic = execFileSync('objdump', ['-p', packed[0] ?? ''], { encoding: 'utf8' })
    expect([...dynamic.matchAll(/NEEDED\s+(\S+)/g)].map((match) => match[1])).toEqual([])
  })
})

describe('the supervisor', () => {
  const packed = files.filter((path) => path.endsWith('/quiesce-supervisor')).map((path) => join(unpacked, path))

  withAddon('lies beside the addon, small and without a library, and refuses to be started by hand', () => {
    expect(
      packed.map((path) => [existsSync(join(dirname(path), 'quiesce.node')), statSync(path).mode & 0o777])
    ).toEqual([[true, 0o755]])
    expect(statSync(packed[0] ?? '').size).toBeLessThan(100_000)
    const dynamic = execFileSync('objdump', ['-p', packed[0] ?? ''], { encoding: 'utf8' })
    expect([...dynamic.matchAll(/NEEDED|INTERP/g)]).toEqual([])
    const { status, stdout, stderr } = spawnSync(packed[0] ?? '', ['true'], { encoding: 'utf8' })
    expect({ status, stdout, stderr }).toEqual({ status: 125, stdout: '', stderr: '' })
  })
})
