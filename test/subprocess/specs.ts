// Specs for tests: a valid one with the parts that a test is about put over it.

import type { SubprocessCollect, SubprocessSpawnSpec } from '../../src/subprocess/types.js'

export const collect: SubprocessCollect = { maxBytes: 64_000 }

type SpecParts = Omit<Partial<SubprocessSpawnSpec>, 'stdio'> & { stdio?: Partial<SubprocessSpawnSpec['stdio']> }

export function specOf(argv: readonly string[], { stdio, ...parts }: SpecParts = {}): SubprocessSpawnSpec {
  return {
    argv,
    cwd: '/',
    graceMs: 3000,
    ...parts,
    stdio: { stdin: 'ignore', stdout: collect, stderr: collect, ...stdio }
  }
}

export function bash(script: string, parts: SpecParts = {}): SubprocessSpawnSpec {
  return specOf(['bash', '-c', script], parts)
}
