// Runs one case in a real Node process, started the way that the case asks for.

import { execFileSync, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { root } from '../setup/source-imports.js'
import type { HostTask } from './host-main.js'
import type { Observation } from './perform-case.js'

/** As deep as the published folder, so that what is looked up from there is found. */
const outdir = join(root, 'build-cases')

let bundled = false

function bundle(): void {
  if (bundled) return
  const files = ['host-main', 'host-worker'].map((name) => join('test/cases', `${name}.ts`))
  const format = ['--bundle', '--platform=node', '--packages=external', '--format=esm', '--target=node20']
  const args = [...files, ...format, '--out-extension:.js=.mjs', `--outdir=${outdir}`, '--log-level=error']
  execFileSync(join(root, 'node_modules/.bin/esbuild'), args, { cwd: root })
  bundled = true
}

const folder = mkdtempSync(join(tmpdir(), 'case-hosts-'))
// A host may be another user.
chmodSync(folder, 0o777)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** A folder for this file's tests, open to every user. */
export function openFolder(name: string): string {
  const path = mkdtempSync(join(folder, `${name}-`))
  chmodSync(path, 0o755)
  return path
}

/** Compiles a fixture. */
export function compiled(name: string, ...flags: string[]): string {
  const places = join(root, 'build-cases')
  mkdirSync(places, { recursive: true })
  const program = join(openFolder(name), name)
  execFileSync('cc', [...flags, '-o', program, join(root, 'test/fixtures/cases', `${name}.c`)])
  return program
}

export interface HostStart {
  /** Stands before `node`. */
  readonly launcher?: readonly string[]
  /** Makes another command of the whole of it. */
  readonly wrap?: (argv: readonly string[]) => readonly string[]
  readonly env?: NodeJS.ProcessEnv
  readonly stdio?: ('ignore' | number)[]
}

let hosts = 0

/** @throws what the host said if it did not end with 0. */
export async function performInHost(task: HostTask, start: HostStart = {}): Promise<Observation[]> {
  bundle()
  hosts += 1
  const report = join(folder, `report-${hosts}.json`)
  const { launcher = [], wrap = (argv) => argv, env = {}, stdio = [] } = start
  const argv = [...launcher, process.execPath, join(outdir, 'host-main.mjs'), JSON.stringify(task), report]
  const [program = '', ...args] = wrap(argv)
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'pipe', ...stdio]
  })
  let said = ''
  child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
    said += chunk
  })
  const [code, signal] = await new Promise<[number | null, string | null]>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (...end) => resolve(end))
  })
  if (code !== 0) throw new Error(`the host ended with ${code ?? signal}: ${said}`)
  return JSON.parse(readFileSync(report, 'utf8'))
}
