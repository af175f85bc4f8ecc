// What of this host decides whether commands can be confined, for the remedies in errors.

import { readFileSync } from 'node:fs'
import { release } from 'node:os'

export interface SandboxHost {
  readonly kernel: string
  readonly isRoot: boolean
  /** Ubuntu 23.10 and newer: a user namespace gives no rights unless an AppArmor profile allows it. */
  readonly appArmorRestricts: boolean
  /** Debian's and others' switch for user namespaces of ordinary users is off, or their number is limited to none. */
  readonly namespacesOff: boolean
  /** This process runs under a seccomp filter, as in a container. */
  readonly filtered: boolean
}

function read(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // Not Linux, or a kernel without that setting.
    return ''
  }
}

export function sandboxHost(): SandboxHost {
  const isSet = (path: string, value: string): boolean => read(path).trim() === value
  return {
    kernel: release(),
    isRoot: process.geteuid?.() === 0,
    appArmorRestricts: isSet('/proc/sys/kernel/apparmor_restrict_unprivileged_userns', '1'),
    namespacesOff:
      isSet('/proc/sys/kernel/unprivileged_userns_clone', '0') || isSet('/proc/sys/user/max_user_namespaces', '0'),
    filtered: /^Seccomp:\s*2$/m.test(read('/proc/self/status'))
  }
}
