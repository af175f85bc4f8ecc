// Finds the programs of the package, at first use: what was built here, then what the package brought for this platform. A
// packer may have dropped the execute bit of quiesce-runner, and who runs this need not own the file.

import { join } from 'node:path'
import { packageRoot, platformName } from './load.js'

const name = 'quiesce-runner'

let known: string | null | undefined

/** A path that can be executed for as long as this process lives; null where there is no runner. */
export function runnerPath(): string | null {
  if (known === undefined) known = process.platform === 'linux' ? find() : null
  return known
}

let copy: string | null | undefined

/**
 * The same program where nobody can replace it, for where commands may write to the folder that it lies in. Null if that
 * cannot be had.
 */
export function irreplaceableRunnerPath(): string | null {
  const path = runnerPath()
  if (path === null || path.startsWith('/proc/')) return path
  if (copy === undefined) copy = executableCopy(path)
  return copy
}

let supervisor: string | null | undefined

/** quiesce-supervisor, which the core executes from a copy of its own; null where there is none. */
export function supervisorPath(): string | null {
  if (supervisor === undefined) {
    const { existsSync } = process.getBuiltinModule('node:fs')
    supervisor = placesOf('quiesce-supervisor').find((path) => existsSync(path)) ?? null
  }
  return supervisor
}

function find(): string | null {
  for (const place of placesOf(name)) {
    const path = executable(place)
    if (path !== null) return path
  }
  return null
}

function placesOf(program: string): string[] {
  const root = packageRoot()
  return [join(root, 'build', 'Release'), join(root, 'prebuilds', platformName())].map((folder) =>
    join(folder, program)
  )
}

/** The path itself, or that of a copy that can be executed; null if there is no such file. */
export function executable(path: string): string | null {
  const fs = process.getBuiltinModule('node:fs')
  if (!fs.existsSync(path)) return null
  if (mayExecute(path)) return path
  try {
    fs.chmodSync(path, 0o755)
    if (mayExecute(path)) return path
  } catch {
    // Not ours, or on a read-only file system.
  }
  return executableCopy(path)
}

function mayExecute(path: string): boolean {
  const fs = process.getBuiltinModule('node:fs')
  try {
    fs.accessSync(path, fs.constants.X_OK)
    return true
  } catch {
    return false
  }
}

// The copy has no name any more when this returns, only the descriptor: a confined command that may write to the temp
// folder cannot replace what the next one is confined with.
function executableCopy(path: string): string | null {
  const fs = process.getBuiltinModule('node:fs')
  const { tmpdir } = process.getBuiltinModule('node:os')
  const folder = fs.mkdtempSync(join(tmpdir(), `quiesce-${process.pid}-runner-`))
  try {
    const copy = join(folder, name)
    fs.writeFileSync(copy, fs.readFileSync(path), { mode: 0o700, flag: 'wx' })
    fs.chmodSync(copy, 0o700)
    const descriptor = `/proc/${process.pid}/fd/${fs.openSync(copy, 'r')}`
    return mayExecute(descriptor) ? descriptor : null
  } finally {
    fs.rmSync(folder, { recursive: true })
  }
}
