// Packs this checkout as `npm pack` would and installs the result into an empty project, without a network.

import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { feature } from '../setup/features.js'
import { root } from '../setup/source-imports.js'

export const addonPath = join(root, 'build/Release/quiesce.node')

/** A test that needs the built addon. */
export const withAddon = feature('the native addon', () => existsSync(addonPath) || 'not built here')

/** A folder that goes away with the test file. */
export function temporaryFolder(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'quiesce-package-')))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function npm(cwd: string, ...args: string[]): string {
  return execFileSync('npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
}

/** The path of the tarball in `folder`. What `prepack` does is done here, but for the build: it must not be skipped unseen. */
export function pack(folder: string): string {
  if (!existsSync(join(root, 'dist/index.js'))) throw new Error('dist is not built: npm run build')
  if (existsSync(addonPath)) {
    execFileSync(process.execPath, [join(root, '.tools/prebuild.mjs')], { stdio: ['ignore', 'ignore', 'pipe'] })
  }
  npm(root, 'pack', '--ignore-scripts', '--pack-destination', folder)
  const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz'))
  if (tarball === undefined) throw new Error('npm pack made no tarball')
  return join(folder, tarball)
}

/** A project below `folder` with the package installed; its dependencies come from this checkout. */
export function install(folder: string, tarball: string): string {
  const project = join(folder, 'project')
  mkdirSync(project)
  writeFileSync(join(project, 'package.json'), JSON.stringify({ name: 'project', private: true, type: 'module' }))
  const dependencies = ['zod', 'commander'].map((name) => join(root, 'node_modules', name))
  npm(project, 'install', '--offline', '--ignore-scripts', '--install-links', '--no-audit', tarball, ...dependencies)
  return project
}

/** What the strict compiler says of `file` in `project`; its checks of declarations themselves are on unless `options` say so. */
export function typeCheck(project: string, file: string, ...options: string[]) {
  const tsc = join(root, 'node_modules/typescript/bin/tsc')
  const strict = ['--strict', '--noEmit', '--exactOptionalPropertyTypes']
  const platform = ['--module', 'nodenext', '--target', 'es2023']
  const types = ['--types', 'node', '--typeRoots', join(root, 'node_modules/@types')]
  const { status, stdout } = spawnSync(process.execPath, [tsc, ...strict, ...platform, ...types, ...options, file], {
    cwd: project,
    encoding: 'utf8'
  })
  return { status, stdout }
}
