// Makes a case of the sandbox into one test for each backend that it is about, on each provider, in a fresh workspace with
// a place outside of it.

import { mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import type { SandboxOptions, SubprocessOptions } from '../../src/context/options.js'
import { backendProbes, type RealBackend, realBackends } from '../fixtures/sandbox/real-backends.js'
import { type Case, caseOf } from './case.js'
import { caseOnProviders, onGroups } from './on-providers.js'
import { type Observation, performCase } from './perform-case.js'

export interface Scene {
  readonly entry: Case
  readonly subprocess: SubprocessOptions
  readonly sandbox: SandboxOptions
  readonly workspace: string
  readonly outside: string
}

interface Particulars {
  /** Absent: that of the case, or else each. */
  readonly backends?: readonly RealBackend[]
  readonly note?: string
  /** Before the command. What it gives replaces parts of the sandbox. */
  readonly setUp?: (scene: Scene) => SandboxOptions | undefined
  readonly perform?: (scene: Scene) => Promise<Observation>
  readonly needs?: readonly [string, () => true | string]
}

const workspaces = realpathSync(mkdtempSync(join(tmpdir(), 'sandbox-cases-')))
// No policy makes it writable.
const outsides = realpathSync(mkdtempSync('/var/tmp/sandbox-cases-'))
afterAll(() => {
  rmSync(workspaces, { recursive: true, force: true })
  rmSync(outsides, { recursive: true, force: true })
})

/** Every file below `folder` with what it holds, its mode and its times of change. */
function contentOf(folder: string): string {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  const facts = names.map((name) => {
    const stat = statSync(join(folder, name))
    return [name, stat.mode, stat.ctimeMs, stat.isFile() ? readFileSync(join(folder, name), 'latin1') : null]
  })
  return JSON.stringify(facts)
}

async function performOnce({ entry, subprocess, sandbox }: Scene): Promise<Observation> {
  return (await performCase(entry, subprocess, 0, sandbox))[0] as Observation
}

function needing(backend: RealBackend, needs: Particulars['needs']): readonly [string, () => true | string] {
  const name = `the sandbox backend ${backend}`
  if (needs === undefined) return [name, backendProbes[backend]]
  const [what, probe] = needs
  const both = (): true | string => {
    const there = backendProbes[backend]()
    return there === true ? probe() : there
  }
  return [`${name}, ${what}`, both]
}

export function caseOnBackends(id: string, particulars: Particulars = {}): void {
  const { opts = {} } = caseOf(id)
  const { setUp = () => undefined, perform = performOnce, note } = particulars
  const own = typeof opts.backend === 'string' ? [opts.backend as RealBackend] : realBackends
  for (const backend of particulars.backends ?? own) {
    const body = async (entry: Case, subprocess: SubprocessOptions): Promise<Observation> => {
      const workspace = mkdtempSync(join(workspaces, 'ws-'))
      const outside = mkdtempSync(join(outsides, 'outside-'))
      writeFileSync(join(outside, 'f'), 'as it was')
      const mode = opts.sandbox as SandboxOptions['mode']
      const plain = { mode, workspaceRoot: workspace, backends: [backend] }
      const scene: Scene = { entry, subprocess, workspace, outside, sandbox: plain }
      const sandbox = { ...plain, ...setUp(scene) }
      const before = [contentOf(workspace), contentOf(outside)]
      const seen = await perform({ ...scene, sandbox })
      const measured = {
        workspaceUnchanged: contentOf(workspace) === before[0],
        outsideUnchanged: contentOf(outside) === before[1]
      }
      return { ...seen, measured: { ...measured, ...seen.measured } }
    }
    const said = note === undefined ? `with ${backend}` : `with ${backend}, ${note}`
    caseOnProviders(id, body, { note: said, on: onGroups, needs: needing(backend, particulars.needs) })
  }
}
