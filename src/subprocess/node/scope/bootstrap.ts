// The first program of a scope: the shell, with a request that it reads as a script. It notes that it runs and in which
// cgroup, and becomes the command. The request is a file without a name, so nothing of it can stay behind; systemd-run sees
// two fixed words, so there is nothing in them that any version of it could expand; and env(1) gives the command an
// environment that no shell has touched.

import * as fs from 'node:fs'

/** The descriptor of the request in the bootstrap; shells know those of one digit only. The command does not get it. */
export const requestDescriptor = 9

export const bootstrapArgv: readonly string[] = ['/bin/sh', `/proc/self/fd/${requestDescriptor}`]

const mark = 'started\n'

/** A cgroup path is at most as long as a path may be. */
const largestNote = 4096 + 64

export interface Request {
  readonly argv: readonly string[]
  readonly environment: ReadonlyMap<string, string>
}

/**
 * One compound command, since what the shell notes is appended to the file that it is reading from. Without its note it
 * must not become the command: the host could not tell that it had.
 */
export function requestText({ argv, environment }: Request): string {
  const variables = Array.from(environment, ([name, value]) => quoted(`${name}=${value}`))
  const becomes = ['/usr/bin/env', '-i', '--', ...variables, ...withoutAssignment(argv).map(quoted)]
  return `{
while IFS= read -r line; do case $line in 0::*) printf '%s\\n' "$line" >&${requestDescriptor};; esac; done </proc/self/cgroup
printf '${mark.trimEnd()}\\n' >&${requestDescriptor} || exit 1
exec ${becomes.join(' ')} ${requestDescriptor}>&-
exit
}
`
}

/** What the bootstrap has noted behind the first `requestBytes`: its cgroups; null if it has not run so far. */
export function readNote(fd: number, requestBytes: number): string | null {
  const buffer = Buffer.allocUnsafe(largestNote)
  const text = buffer.toString('utf8', 0, fs.readSync(fd, buffer, 0, largestNote, requestBytes))
  return text.endsWith(mark) ? text.slice(0, -mark.length) : null
}

/** To env(1) a word with `=` before the program is a variable, so such a program is run by one that changes nothing. */
function withoutAssignment(argv: readonly string[]): readonly string[] {
  return argv[0]?.includes('=') ? ['/usr/bin/nice', '-n', '0', '--', ...argv] : argv
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`
}
