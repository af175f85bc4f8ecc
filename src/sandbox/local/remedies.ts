// What to do where a backend failed on this host.

import type { SandboxHost } from './host.js'

const appArmor =
  'AppArmor restricts user namespaces here (Ubuntu 24.04): allow them for this program by a profile with "userns," in ' +
  '/etc/apparmor.d, or for all by `sysctl kernel.apparmor_restrict_unprivileged_userns=0`'
const namespaces =
  'user namespaces are switched off: `sysctl kernel.unprivileged_userns_clone=1 user.max_user_namespaces=15000`'
const filter =
  'a seccomp filter is active, as in a container: start that with --security-opt seccomp=unconfined or with a profile ' +
  'that allows unshare, setns, mount, mount_setattr and the Landlock calls'

/** Linux versions that brought what a backend cannot do without: mount_setattr, Landlock. */
const kernelNeeded: Readonly<Record<string, readonly [number, number]>> = { native: [5, 12], landlock: [5, 13] }

function isOlder(kernel: string, [major, minor]: readonly [number, number]): boolean {
  const [, own = '0', ownMinor = '0'] = /^(\d+)\.(\d+)/.exec(kernel) ?? []
  return Number(own) < major || (Number(own) === major && Number(ownMinor) < minor)
}

const isRefusal = (reason: string): boolean => /not permitted|permission denied|not allowed|EPERM|EACCES/i.test(reason)

/** `undefined` where nothing better than the reason itself is known. */
export function remedyFor(backend: string, reason: string, host: SandboxHost): string | undefined {
  const needed = kernelNeeded[backend]
  if (needed && isOlder(host.kernel, needed)) {
    return `it needs Linux ${needed.join('.')} or newer, and this is ${host.kernel}`
  }
  if (backend === 'landlock') return isRefusal(reason) && host.filtered ? filter : undefined
  if (host.namespacesOff) return namespaces
  if (!isRefusal(reason)) return undefined
  if (host.appArmorRestricts && !host.isRoot) return appArmor
  return host.filtered ? filter : undefined
}
