// Whether commands can be started in scopes here. The deep look starts one and sees that it can be watched and ended; its
// verdict is kept for the whole process. Before each command only the manager's socket is looked for.

import type * as ChildProcess from 'node:child_process'
import { tmpdir } from 'node:os'
import { cgroupMount } from './mounted.js'
import { ScopeLaunch } from './scope-launch.js'
import { ScopeUnits } from './scope-units.js'
import { whyNoManager } from './user-manager.js'

const patienceMs = 5000

/** Null: they can. */
type Verdict = { readonly reason: string | null }

let verdict: Verdict | null = null

/** The reason why a command cannot be started in a scope now, as the end of a sentence; null if it can. */
export function whyNoScope(): string | null {
  const absent = whyNoManager()
  if (absent !== null) return absent
  verdict ??= { reason: trial() }
  return verdict.reason
}

/** A scope that should have come did not: the next command asks again. */
export function doubtScopes(): void {
  verdict = null
}

/** Tells what it sees of its own scope, by its own eyes: the folder where the host would look for it. */
const lookAtOwnScope = `
while IFS= read -r line; do
  case $line in 0::*) own=$1\${line#"0::$2"};; esac
done </proc/self/cgroup
test -w "$own/cgroup.procs" && cat "$own/cgroup.events" && printf '%s\\n' "$own"`

function trial(): string | null {
  const mount = cgroupMount()
  if (mount === null) return 'no cgroup v2 file system is mounted, so scopes could not be watched'
  const argv = ['/bin/sh', '-c', lookAtOwnScope, 'sh', mount.mount, mount.root === '/' ? '' : mount.root]
  const environment = new Map([['PATH', '/usr/bin:/bin']])
  const resources = { tempDirs: [tmpdir(), '/dev/shm'], units: new ScopeUnits(), refused: () => {} }
  const launch = new ScopeLaunch({ argv, cwd: '/', environment }, resources)
  try {
    return attempt(launch)
  } catch (error) {
    return (error as Error).message
  } finally {
    launch.end()
  }
}

function attempt(launch: ScopeLaunch): string | null {
  const { argv, environment, request } = launch.prepare()
  const [program = '', ...args] = argv
  const entries: (number | 'ignore' | 'pipe')[] = ['ignore', 'pipe', 'pipe']
  while (request !== undefined && entries.length < request.as) entries.push('ignore')
  if (request !== undefined) entries[request.as] = request.fd
  const { spawnSync } = process.getBuiltinModule('node:child_process') as typeof ChildProcess
  const { error, status, signal, stdout, stderr } = spawnSync(program, args, {
    cwd: '/',
    env: environment,
    stdio: entries,
    encoding: 'utf8',
    timeout: patienceMs,
    killSignal: 'SIGKILL'
  })
  const code = (error as NodeJS.ErrnoException | undefined)?.code
  if (code === 'ETIMEDOUT') return `systemd-run has not started a scope within ${patienceMs} ms`
  if (code === 'ENOENT') return 'there is no systemd-run'
  if (error !== undefined) return `systemd-run cannot be executed: ${error.message}`
  const said = stderr.trim() === '' ? '' : `: ${stderr.trim().replace(/\s*\n\s*/g, '; ')}`
  if (!launch.started) return `systemd-run has started nothing (${signal ?? `status ${status}`})${said}`
  const seen = `populated 1\n[^]*\n${launch.folder?.path}\n$`
  if (status === 0 && launch.folder?.path.endsWith(`/${launch.unit}`) && new RegExp(seen).test(stdout)) return null
  return `the cgroup folder of a scope cannot be used here${said}`
}
