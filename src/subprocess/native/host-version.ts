// Whether `process.env` has changed, asked of the C library. That is the same environment on the main thread only, and only
// as long as nobody has put another object in the place of `process.env` (as test runners do).

import type { NativeBinding } from '../../native/binding.js'

const probeName = 'QUIESCE_PROBE'
let real: { readonly env: NodeJS.ProcessEnv; readonly isReal: boolean } | null = null

export function hostVersion(binding: NativeBinding): number | null {
  if (real?.env !== process.env) real = { env: process.env, isReal: isReal(binding, process.env) }
  return real.isReal ? binding.environmentVersion() : null
}

function isReal(binding: NativeBinding, env: NodeJS.ProcessEnv): boolean {
  const before = binding.environmentVersion()
  env[probeName] = '1'
  const after = binding.environmentVersion()
  delete env[probeName]
  return after !== before
}
