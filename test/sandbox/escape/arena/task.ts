// What an arena is asked to do and what it tells: one line of JSON for each attack.

import type { Confinement } from '../backends.js'
import type { HostParts } from '../hosting.js'

export interface ArenaTask extends Confinement {
  readonly attacks: readonly string[]
  /** The namespaces that the machine's own processes are in, as /proc/PID/ns names them: no attack runs in any of them. */
  readonly machine: Readonly<Record<'mnt' | 'pid' | 'net', string>>
  readonly programs: Readonly<Record<'attack' | 'victim', string>>
  /** Null where nothing confines. */
  readonly host: HostParts | null
  /** A loop device. */
  readonly disk: { readonly path: string; readonly major: number; readonly minor: number }
  /** A folder of cgroup v2 made for this, and where cgroup v2 is mounted; null where there is none to have. */
  readonly cage: { readonly folder: string; readonly mountPoint: string } | null
}

export interface AttackReport {
  readonly name: string
  /** It was really made: the backend started it and it did not refuse. */
  readonly began: boolean
  readonly exitCode: number | null
  /** The attack's own word. */
  readonly claims: boolean
  /** What is not as before outside, or the secret in what it printed. */
  readonly evidence: readonly string[]
  readonly said: string
}
