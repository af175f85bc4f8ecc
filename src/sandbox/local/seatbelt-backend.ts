// Seatbelt, the sandbox of macOS: everything is allowed but what the profile denies. Only the argv is made here.

import { BackendProblem, type SandboxBackend } from './backend.js'
import type { SandboxProfile } from './profile.js'

const program = '/usr/bin/sandbox-exec'
const devices = ['/dev/null', '/dev/zero', '/dev/tty', '/dev/stdout', '/dev/stderr', '/dev/dtracehelper']

/** A string of the profile language: a backslash and a quote are escaped by a backslash. */
const quoted = (text: string): string => `"${text.replace(/[\\"]/g, '\\$&')}"`
const subpath = (path: string): string => `(subpath ${quoted(path)})`
const literal = (path: string): string => `(literal ${quoted(path)})`

export function seatbeltProfile({ roots, hidden, network }: SandboxProfile): string {
  const secrets = hidden.map(({ path, isFolder }) => (isFolder ? subpath(path) : literal(path))).join(' ')
  return [
    '(version 1)',
    '(allow default)',
    '(deny file-write*)',
    `(allow file-write* ${[...devices.map(literal), subpath('/dev/fd'), ...roots.map(subpath)].join(' ')})`,
    ...(secrets === '' ? [] : [`(deny file-read* file-write* ${secrets})`]),
    ...(network === 'none' ? ['(deny network*)'] : [])
  ].join('\n')
}

export const seatbeltBackend: SandboxBackend = {
  name: 'seatbelt',
  denialSignatures: ['operation not permitted'],
  runnerFailureRules: () => [{ fatalSignatures: ['sandbox-exec: '] }],
  refusal: () => null,
  async locate() {
    if (process.platform !== 'darwin') throw new BackendProblem('it is for macOS only')
    return program
  },
  prefix: (path, profile) => [path, '-p', seatbeltProfile(profile)]
}
