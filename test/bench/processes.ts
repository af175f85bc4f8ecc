// Runs one program of the bench once, in a process of its own with a temporary folder of its own, and gives what it printed.

import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { buildFolder, root } from './places.js'

const exec = promisify(execFile)

/** Long enough for the slowest sample of the slowest contender: one that hangs is ended and told, not waited for. */
const timeout = 300_000

const quietRuntimes = { DENO_DIR: join(buildFolder, 'deno'), DENO_NO_UPDATE_CHECK: '1', DO_NOT_TRACK: '1' }

/** A temporary folder for as long as `body` runs. */
export async function withFolder<T>(body: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'quiesce-bench-'))
  try {
    return await body(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function outputOf(program: string, args: readonly string[]): Promise<string> {
  // Not every contender removes its files.
  return withFolder(async (folder) => {
    const env = { ...process.env, ...quietRuntimes, TMPDIR: folder }
    const { stdout } = await exec(program, [...args], { cwd: root, env, timeout, maxBuffer: 1 << 20 })
    return stdout.trim()
  })
}
