// Places that hold keys and credentials, or sockets that lead out of every sandbox, for `hiddenPaths`. Those that a host
// does not have are passed over.

import { homedir } from 'node:os'
import { join } from 'node:path'

const inHome = [
  '.ssh',
  '.gnupg',
  '.aws',
  '.azure',
  '.kube',
  '.docker',
  '.netrc',
  '.npmrc',
  '.pypirc',
  '.git-credentials',
  '.pgpass',
  '.my.cnf',
  '.vault-token',
  '.terraform.d/credentials.tfrc.json',
  '.cargo/credentials.toml',
  '.gem/credentials',
  '.password-store',
  '.config/gcloud',
  '.config/gh',
  '.config/git/credentials',
  '.config/containers',
  '.local/share/keyrings',
  '.local/share/kwalletd'
]

const ofTheSystem = [
  '/etc/shadow',
  '/etc/shadow-',
  '/etc/gshadow',
  '/etc/gshadow-',
  '/etc/ssl/private',
  '/etc/sudoers.d'
]

/**
 * Sockets of container engines and buses, by the folder that holds them: a socket that is hidden itself shows again as soon
 * as its service is started anew. Docker's lies in /run directly, which cannot be hidden as a whole.
 */
const ofServices = ['/run/docker.sock', '/run/containerd', '/run/crio', '/run/podman', '/run/dbus', '/run/snapd.socket']

const ofTheUser = process.getuid ? [`/run/user/${process.getuid()}`] : []

export const commonSecrets: readonly string[] = Object.freeze([
  ...inHome.map((name) => join(homedir(), name)),
  ...ofTheSystem,
  ...ofServices,
  ...ofTheUser
])
