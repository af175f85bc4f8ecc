// Host processes of their own for what must not happen to the process of the tests: mounts that come and go (in a private
// mount namespace), another user, a load that would harm a host that is wrongly confined along with its commands.

import { join } from 'node:path'
import { outdir, runHost } from '../../lifecycle/host.js'
import { runner } from './confined.js'

export interface PreparedHost {
  /** Absent: the user of the tests. */
  readonly user?: number | undefined
  /** What the host mounts is seen by nobody else. Needs root. */
  readonly privateMounts?: boolean
}

const url = (path: string): string => JSON.stringify(`file://${join(outdir, path)}`)

const prelude = (): string => `
  import * as fs from 'node:fs'
  import { execFileSync } from 'node:child_process'
  import { prepareConfinement } from ${url('sandbox/prepared.js')}
  const confined = (script, options = [], parts = {}, way = 'prepared') => {
    const prefix = [${JSON.stringify(runner())}, 'confine', ...options, '--']
    const argv = ['bash', '-c', script]
    return {
      ...bash(script, parts),
      argv: [...prefix, ...argv],
      ...(way === 'prepared' && { confinement: prepareConfinement(prefix, argv) })
    }
  }
  const run = async (spec) => {
    const handle = runtime.spawn(spec)
    try {
      const { exitCode } = await handle.done
      return { exitCode, stdout: handle.collected.stdout.readFrom(0).text, stderr: handle.collected.stderr.readFrom(0).text }
    } catch (error) {
      return { stage: error.stage, code: error.code, message: error.message }
    }
  }
  // How many preparations there were is told by the mount namespaces that commands found themselves in.
  const namespaceOf = (options) => run(confined('readlink /proc/self/ns/mnt', options)).then(({ stdout }) => stdout)
`

/** Runs `body`, which calls `tell(value)` once; gives that value, and what the host wrote to stderr. */
export async function inPreparedHost(
  body: string,
  { user, privateMounts = false }: PreparedHost = {}
): Promise<{ told: unknown; stderr: string }> {
  const launcher = [
    ...(privateMounts ? ['unshare', '--mount', '--propagation', 'private'] : []),
    ...(user === undefined ? [] : ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--clear-groups'])
  ]
  const whole = `${prelude()}
    const tell = (value) => console.log('told: ' + JSON.stringify(value))
    ${body}
    await runtime.dispose()`
  const end = await runHost('native', whole, {}, { launcher })
  const told = /^told: (.*)$/m.exec(end.stdout)?.[1]
  if (end.code !== 0 || told === undefined) throw new Error(`the host ended with ${JSON.stringify(end)}`)
  return { told: JSON.parse(told), stderr: end.stderr }
}

export const isRoot = (): true | string => process.getuid?.() === 0 || 'needs root'
