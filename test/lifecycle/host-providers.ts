// The providers that hosts are run with: those that this machine has.

import { describe } from 'vitest'
import { NativeSubprocessRuntime } from '../../src/subprocess/native/native-runtime.js'
import type { HostProvider } from './host.js'

export function describeEachHost(body: (provider: HostProvider) => void): void {
  describe('node', () => body('node'))
  const reason = whyNotNative()
  if (reason === null || process.env.REQUIRE_FEATURES === 'all') describe('native', () => body('native'))
  else describe.skip(`native [${reason}]`, () => body('native'))
}

function whyNotNative(): string | null {
  try {
    // Nothing starts before the first command, so there is nothing to dispose of.
    new NativeSubprocessRuntime()
    return null
  } catch (error) {
    return (error as Error).message.split('\n')[0] ?? ''
  }
}
