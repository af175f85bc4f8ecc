// What a backend does not stop, and why: the table that the documentation shows. Whatever stands here is seen to get
// through, and nothing else is.

import type { BackendName, ConfinedMode, Confinement } from './backends.js'

export type User = 'root' | 'ordinary user'

export interface Limit {
  readonly attacks: readonly string[]
  readonly backends: readonly BackendName[]
  /** All where it is absent. */
  readonly mode?: ConfinedMode
  readonly user?: User
  readonly why: string
}

const ownProcesses =
  "users may do that to their own processes, which share the command's PID namespace; the score is a file of /proc"
const metadata = 'Landlock has no right for what belongs to a file beside its content: it takes read-only mounts'
const nodes = 'a device node in the workspace is a file there: it takes a mount without devices'

export const limits: readonly Limit[] = [
  {
    attacks: ['hard-link-before'],
    backends: ['native', 'prepared', 'bwrap', 'landlock'],
    mode: 'workspace-write',
    why: 'it is one file with two names, and the one in the workspace may be written'
  },
  {
    attacks: ['plant-set-id'],
    backends: ['native', 'prepared', 'bwrap', 'landlock'],
    mode: 'workspace-write',
    why: 'the mode of a file in the workspace belongs to its owner'
  },
  {
    attacks: ['socket-by-path'],
    backends: ['native', 'prepared', 'bwrap', 'landlock'],
    why: 'the kernel asks for no right to a file system when a socket is connected to: hide the folder that holds it'
  },
  {
    attacks: ['input-mode', 'input-times'],
    backends: ['native', 'bwrap', 'landlock'],
    why: 'a descriptor that was opened outside keeps its mount, which is writable there: hand over pipes'
  },
  {
    attacks: ['process-limit'],
    backends: ['native', 'prepared', 'landlock'],
    why: ownProcesses
  },
  {
    attacks: ['process-oom-score'],
    backends: ['native', 'prepared'],
    why: ownProcesses
  },
  {
    attacks: ['process-oom-score'],
    backends: ['landlock'],
    user: 'ordinary user',
    why: ownProcesses
  },
  {
    attacks: ['process-nice', 'process-affinity', 'process-policy', 'process-disk-class'],
    backends: ['native', 'prepared', 'landlock'],
    user: 'ordinary user',
    why: `${ownProcesses}; for root these take a capability that commands do not have`
  },
  {
    attacks: [
      ...['chmod', 'chmod-folder', 'chmod-by-descriptor', 'chmod-by-link', 'chown-to-own', 'times', 'file-flags'],
      ...['times-by-descriptor', 'set-attribute', 'remove-attribute', 'access-list', 'ring-attribute']
    ],
    backends: ['landlock'],
    why: metadata
  },
  { attacks: ['chown', 'null-mode', 'null-by-input'], backends: ['landlock'], user: 'root', why: metadata },
  { attacks: ['nested-chmod'], backends: ['landlock'], user: 'ordinary user', why: metadata },
  {
    attacks: ['disk-read'],
    backends: ['landlock'],
    user: 'root',
    why: 'everything may be read, disks of /dev too: it takes a /dev without them'
  },
  {
    attacks: ['disk-in-workspace'],
    backends: ['landlock'],
    mode: 'workspace-write',
    why: nodes
  },
  {
    attacks: ['nested-disk'],
    backends: ['landlock'],
    mode: 'workspace-write',
    user: 'ordinary user',
    why: nodes
  },
  {
    attacks: ['terminal', 'shared-write', 'shared-removed'],
    backends: ['landlock'],
    why: "the /dev/pts and /dev/shm of the host, which commands need: it takes a /dev of the sandbox's own"
  },
  {
    attacks: ['segment-write', 'segment-removed'],
    backends: ['landlock'],
    why: 'Landlock knows nothing of System V shared memory: it takes an ipc namespace'
  },
  {
    attacks: ['inherited-file', 'inherited-folder', 'inherited-folder-parent', 'reopened-input'],
    backends: ['bwrap'],
    why: 'it passes on what its starter left open, and without Landlock a descriptor opens its file again'
  },
  {
    attacks: ['abstract-socket', 'abstract-datagram', 'ring-connect'],
    backends: ['bwrap'],
    why: 'abstract sockets belong to the network namespace: it takes Landlock, or network: none'
  },
  {
    attacks: ['read-key', 'change-key'],
    backends: ['bwrap'],
    why: "a command inherits the session keyring of its starter: it takes one of the sandbox's own"
  },
  {
    attacks: ['null-mode', 'null-by-input'],
    backends: ['bwrap'],
    user: 'root',
    why: 'its /dev has the device nodes of the host'
  }
]

const userOf = (uid: number): User => (uid === 0 ? 'root' : 'ordinary user')

export function notStopped({ backend, mode, uid }: Confinement): ReadonlySet<string> {
  const valid = limits.filter(
    (limit) =>
      limit.backends.includes(backend) &&
      (limit.mode === undefined || limit.mode === mode) &&
      (limit.user === undefined || limit.user === userOf(uid))
  )
  return new Set(valid.flatMap(({ attacks }) => attacks))
}
