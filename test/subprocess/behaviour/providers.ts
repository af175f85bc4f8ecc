// The providers that the behavioural suite runs against. What they differ in is told by facts, not by their names.

import { describe } from 'vitest'
import type { LocalRuntimeOptions } from '../../../src/subprocess/local/options.js'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'
import { NodeSubprocessRuntime } from '../../../src/subprocess/node/node-runtime.js'
import type { SubprocessRuntime } from '../../../src/subprocess/runtime.js'
import type { RangeKind } from '../../../src/subprocess/types.js'

export interface Provider {
  readonly name: string
  create(options?: LocalRuntimeOptions): SubprocessRuntime
}

/** Set where the suite is run for one kind of range: a runtime that does not have it fails to be made. */
const ranges = process.env.TEST_RANGES?.split(',') as RangeKind[] | undefined

const node: Provider = { name: 'node', create: (options = {}) => new NodeSubprocessRuntime({ ranges, ...options }) }
const native: Provider = {
  name: 'native',
  create: (options = {}) => new NativeSubprocessRuntime({ ranges, ...options })
}
const nativeSupervisor: Provider = {
  name: 'native, supervisors',
  create: (options = {}) => new NativeSubprocessRuntime({ ranges: ['supervisor'], ...options })
}
const nativeGroup: Provider = {
  name: 'native, process groups only',
  create: (options = {}) => new NativeSubprocessRuntime({ ranges: ['group'], ...options })
}

/** Runs `body` for each provider that this machine has; where CI asks for all features, a missing one fails. */
export function describeEachProvider(body: (provider: Provider) => void): void {
  for (const provider of [node, native, nativeSupervisor, nativeGroup]) {
    const reason = whyNot(provider)
    if (reason === null || process.env.REQUIRE_FEATURES === 'all') describe(provider.name, () => body(provider))
    else describe.skip(`${provider.name} [${reason}]`, () => body(provider))
  }
}

function whyNot(provider: Provider): string | null {
  try {
    // Nothing starts before the first command, so there is nothing to dispose of.
    provider.create()
    return null
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? ''
  }
}
