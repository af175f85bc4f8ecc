// Installs the npm packages when node_modules of a folder does not hold what its package-lock.json asks for.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, run, say } from './run.mjs'

function packagesIn(path) {
  try {
    return JSON.parse(readFileSync(join(root, path), 'utf8')).packages ?? {}
  } catch {
    return null
  }
}

function installed(folder) {
  const wanted = packagesIn(join(folder, 'package-lock.json'))
  const present = packagesIn(join(folder, 'node_modules/.package-lock.json'))
  if (wanted === null || present === null) return false
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // An optional package may be left out: npm installs only the ones for this platform.
    if (path === '' || (optional && !present[path])) return true
    return present[path]?.version === version
  })
}

/** Exit status. `folder` is relative to the root; with `quiet` npm itself says only what went wrong. */
export function installDependencies({ folder = '.', quiet = false } = {}) {
  if (installed(folder)) return 0
  say(`installing the npm packages of ${join(folder, 'package-lock.json')} (npm ci)`)
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const loudness = quiet ? ['--loglevel=error'] : []
  return run(npm, ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund', ...loudness], {
    cwd: join(root, folder),
    shell: process.platform === 'win32',
    stdio: ['ignore', quiet ? 'ignore' : 'inherit', 'inherit']
  })
}
