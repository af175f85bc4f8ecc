// The user's own systemd manager, as systemd-run finds it. Looking for it is one look at the file system.

import * as fs from 'node:fs'
import { join } from 'node:path'

function runtimeFolder(): string {
  return process.env.XDG_RUNTIME_DIR || `/run/user/${process.geteuid?.()}`
}

/** Of the programs that talk to the manager: their messages are in no language, and nothing else of the host is theirs. */
export function clientEnvironment(): Record<string, string> {
  const { PATH, DBUS_SESSION_BUS_ADDRESS } = process.env
  return {
    ...(PATH === undefined ? {} : { PATH }),
    ...(DBUS_SESSION_BUS_ADDRESS === undefined ? {} : { DBUS_SESSION_BUS_ADDRESS }),
    XDG_RUNTIME_DIR: runtimeFolder(),
    LC_ALL: 'C'
  }
}

/** Why there is no manager to ask, as the end of a sentence; null if there seems to be one. */
export function whyNoManager(): string | null {
  if (process.platform !== 'linux') return 'systemd is for Linux'
  const socket = join(runtimeFolder(), 'systemd/private')
  try {
    if (fs.statSync(socket).isSocket()) return null
  } catch {
    // Missing, or in a folder of another user: either way it is not this user's manager.
  }
  return `no systemd user manager listens at ${socket}`
}
