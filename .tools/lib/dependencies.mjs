// Installs the npm packages when node_modules does not hold what package-lock.json asks for.

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

function installed() {
  const wanted = packagesIn('package-lock.json')
  const present = packagesIn('node_modules/.package-lock.json')
  if (wanted === null || present === null) return false
  return Object.entries(wanted).every(([path, { version, optional }]) => {
    // An optional package may be left out: npm installs only the ones for this platform.
    if (path === '' || (optional && !present[path])) return true
    return present[path]?.version === version
  })
}

export function installDependencies() {
  if (installed()) return 0
  say('installing the npm packages of package-lock.json (npm ci)')
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  return run(npm, ['ci', '--include=dev', '--ignore-scripts', '--no-audit', '--no-fund'], {
    shell: process.platform === 'win32'
  })
}
