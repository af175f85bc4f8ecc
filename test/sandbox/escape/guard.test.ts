// The program of attacks refuses to run in any namespace of the machine, whatever it is told.

import { spawnSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect } from 'vitest'
import { cCompiler } from '../../fixtures/compiled.js'
import { feature } from '../../setup/features.js'
import { attackProgram } from './programs.js'
import { arenas } from './surroundings.js'

const folder = fs.mkdtempSync(join(tmpdir(), 'guard-'))
afterAll(() => fs.rmSync(folder, { recursive: true }))

const kinds = ['mnt', 'pid', 'net'] as const
const own = Object.fromEntries(
  kinds.map((kind) => [`ATTACK_MACHINE_${kind.toUpperCase()}`, fs.readlinkSync(`/proc/self/ns/${kind}`)])
)
const others = { ATTACK_MACHINE_MNT: 'mnt:[1]', ATTACK_MACHINE_PID: 'pid:[1]', ATTACK_MACHINE_NET: 'net:[1]' }

/** The most harmless of all, and on a file of this test. */
function attack(env: Readonly<Record<string, string>>, prefix: readonly string[] = []): object {
  const file = join(folder, 'f')
  fs.writeFileSync(file, 'kept')
  const [program = '', ...args] = [...prefix, attackProgram(), 'write-file']
  const { status, stderr } = spawnSync(program, args, {
    env: { PATH: process.env.PATH, ATTACK_OUT: folder, ...env },
    encoding: 'utf8'
  })
  return { status, refused: stderr.startsWith('attack: refused: '), content: fs.readFileSync(file, 'utf8') }
}

const refusal = { status: 3, refused: true, content: 'kept' }
const test = feature('a C compiler', cCompiler)

test('no attack runs where nobody says what the namespaces of the machine are', () => {
  expect(attack({})).toEqual(refusal)
})

test('no attack runs in the namespaces of the machine', () => {
  expect(attack(own)).toEqual(refusal)
})

feature('the first PID namespace', () => own.ATTACK_MACHINE_PID === 'pid:[4026531836]' || 'in a container')(
  'no attack runs in the first PID namespace of the kernel, even when told that it is another',
  () => {
    expect(attack(others)).toEqual(refusal)
  }
)

const options = { mnt: '--mount', pid: '--pid', net: '--net' } as const

for (const shared of kinds) {
  feature('arenas', arenas)(`no attack runs where only the ${shared} namespace is the machine's`, () => {
    const rest = kinds.filter((kind) => kind !== shared).map((kind) => options[kind])
    // A new PID namespace is that of the children.
    const fork = shared === 'pid' ? [] : ['--fork']
    const proc = shared === 'mnt' || shared === 'pid' ? [] : ['--mount-proc']
    expect(attack(own, ['unshare', ...rest, ...fork, ...proc, '--'])).toEqual(refusal)
  })
}

feature('arenas', arenas)('an attack runs where all of them are others', () => {
  const all = ['unshare', '--mount', '--pid', '--net', '--fork', '--mount-proc', '--']
  expect(attack(own, all)).toEqual({ status: 0, refused: false, content: 'attacked' })
})
