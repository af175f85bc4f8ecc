// Libraries of test/fixtures that a host loads by process.dlopen, to have done to it what other native code does. They are
// no addons, which process.dlopen complains about after it has loaded them, and stay loaded nonetheless.

import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { FeatureProbe } from '../setup/features.js'
import { root } from '../setup/source-imports.js'
import { outdir } from './host.js'

export const cCompiler: FeatureProbe = () => {
  execFileSync('cc', ['--version'], { stdio: 'ignore' })
  return true
}

/** A statement for the body of a host. */
export function loading(name: string): string {
  const library = join(outdir, `${name}.so`)
  mkdirSync(outdir, { recursive: true })
  const source = join(root, 'test/fixtures', `${name}.c`)
  execFileSync('cc', ['-shared', '-fPIC', '-pthread', '-Wl,-z,nodelete', '-Wall', '-Werror', '-o', library, source], {
    stdio: 'pipe'
  })
  return `try { process.dlopen({ exports: {} }, ${JSON.stringify(library)}) } catch (error) {
    if (!error.message.includes('did not self-register')) throw error
  }`
}
