// Commands in a prepared confinement, and the same commands the long way: through the runner's own argv.

import { mkdtempSync, realpathSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadAddon } from '../../../src/native/load.js'
import { runnerPath } from '../../../src/native/runner-path.js'
import { prepareConfinement } from '../../../src/sandbox/prepared.js'
import type { SubprocessSpawnSpec } from '../../../src/subprocess/types.js'
import { feature } from '../../setup/features.js'
import { bash } from '../../subprocess/specs.js'

export const runner = (): string => {
  const path = runnerPath()
  if (path === null) throw new Error('the program quiesce-runner is not built')
  return path
}

type Way = 'prepared' | 'runner'
export const ways: readonly Way[] = ['prepared', 'runner']

/** `bash -c script` below `options` of the runner, entered in one of the two ways. */
export function confined(
  script: string,
  options: readonly string[] = [],
  parts: Partial<SubprocessSpawnSpec> = {},
  way: Way = 'prepared'
): SubprocessSpawnSpec {
  const prefix = [runner(), 'confine', ...options, '--']
  const argv = ['bash', '-c', script]
  return {
    ...bash(script, parts),
    argv: [...prefix, ...argv],
    ...(way === 'prepared' && { confinement: prepareConfinement(prefix, argv) })
  }
}

/** For tests that need user namespaces, Landlock and the built programs. */
export const test = feature('confinement by namespaces and Landlock', () => {
  loadAddon()
  const { execFileSync } = process.getBuiltinModule('node:child_process')
  const said = execFileSync(runner(), ['confine', '--probe'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] })
  return said.trim() === 'quiesce-runner: full' || said.trim()
})

export const makeFolder = (name: string): string => realpathSync(mkdtempSync(join(tmpdir(), `prepared-${name}-`)))
