// The program of these tests, bundled where an ordinary user can read it, run where a user manager is.

import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { root } from '../../../setup/source-imports.js'
import { inUserSystemd, type Place } from '../../../systemd/in-user-systemd.js'

let folder = ''

export function useProgram(): void {
  beforeAll(() => {
    folder = fs.mkdtempSync(join(tmpdir(), 'scope-program-'))
    fs.chmodSync(folder, 0o755)
    const source = 'test/subprocess/node/scope/inside/program.ts'
    const args = [source, `--outfile=${join(folder, 'program.mjs')}`, '--bundle', '--format=esm', '--platform=node']
    execFileSync(join(root, 'node_modules/.bin/esbuild'), [...args, '--log-level=error'], { cwd: root })
  })
  afterAll(() => fs.rmSync(folder, { recursive: true }))
}

/** What the checks have told, by name. */
export async function told(place: Place, checks: readonly string[]): Promise<Record<string, unknown>> {
  const argv = [process.execPath, join(folder, 'program.mjs'), ...checks]
  const { status, stdout, stderr } = await inUserSystemd(place, argv, { timeoutSeconds: 100 })
  if (status !== 0) throw new Error(`status ${status}: ${stderr}${stdout}`)
  return JSON.parse(stdout)
}
