// What the tests of this folder need of a machine.

import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import { cCompiler } from '../fixtures/compiled.js'
import { type FeatureTest, feature } from '../setup/features.js'

/** Both throw their reason. Nothing starts before the first command, so there is nothing to dispose of. */
export const withNative: FeatureTest = feature('the native addon and a C compiler', () => {
  new NativeSubprocessRuntime()
  return cCompiler()
})

export const withCgroup: FeatureTest = feature('a cgroup range and a C compiler', () => {
  new NativeSubprocessRuntime({ ranges: ['cgroup'] })
  return cCompiler()
})

export const withSupervisor: FeatureTest = feature('a supervisor range and a C compiler', () => {
  new NativeSubprocessRuntime({ ranges: ['supervisor'] })
  return cCompiler()
})
