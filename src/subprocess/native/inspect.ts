// What the native core finds on this host, for people who ask why.

import { loadAddon } from '../../native/load.js'

export interface NativeFacts {
  readonly addon: { readonly path: string } | { readonly error: string }
  /** Calls of the kernel that this process may use; empty without the addon. */
  readonly features: Readonly<Record<string, boolean>>
}

export function inspectNative(): NativeFacts {
  try {
    const { binding, path } = loadAddon()
    return { addon: { path }, features: binding.hostFeatures() }
  } catch (error) {
    return { addon: { error: (error as Error).message }, features: {} }
  }
}
