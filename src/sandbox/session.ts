// What the sandbox needs to know of a session, and nothing more: sessions themselves belong to others.

import type { SandboxMode } from './types.js'

/** What is recorded when the mode of a session is set. */
export interface SandboxModeEvent {
  readonly type: 'sandbox/mode'
  readonly mode: SandboxMode
}

export interface SandboxSession {
  readonly id: string
  /** The folder that it was begun in. It never changes. Absent: that of the deployment. */
  readonly cwd?: string | undefined
  /** The modes that were recorded for it, oldest first. */
  readonly sandboxModes: readonly SandboxMode[]
  /** Adds one event to the record; `sandboxModes` tells its mode from then on. */
  append(event: SandboxModeEvent): void | Promise<void>
}
