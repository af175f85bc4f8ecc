// Runs jobs in a workspace of their own, each confined by itself, and tells which failed or left something behind.

import { execFile, execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Confinement, prefixOf } from '../escape/backends.js'
import { type HostParts, installHost, PreparedHost } from '../escape/hosting.js'
import type { HostAnswer } from '../escape/prepared-host.js'
import { hostParts } from '../escape/programs.js'
import type { Job } from './jobs.js'

/** The machine's own programs and this Node: what is in the home of a user serves no other user. */
const path = `/usr/bin:/bin:/usr/sbin:${dirname(process.execPath)}`
const longestMs = 60_000

/** True, or what is missing. */
export function userAndPrograms(uid: number, jobs: readonly Job[]): true | string {
  if (uid !== process.getuid?.() && process.getuid?.() !== 0) return `not user ${uid} and not root`
  const programs = ['git', 'npm', 'make', 'cc', 'ps', '/usr/bin/python3', ...jobs.flatMap(({ needs = [] }) => needs)]
  for (const program of new Set(programs)) {
    execFileSync('sh', ['-c', `command -v ${program}`], { stdio: 'pipe', env: { PATH: path } })
  }
  execFileSync('/usr/bin/python3', ['-c', 'import ctypes, mmap, multiprocessing, pty, socket, sqlite3'])
  return true
}

interface Workspace {
  readonly folder: string
  readonly extra: string
  readonly temp: string
  readonly parts: HostParts
}

function makeWorkspace(base: string, uid: number): Workspace {
  fs.chmodSync(base, 0o755)
  const [folder, extra, temp] = ['workspace', 'extra', 'temp'].map((name) => join(base, name)) as [
    string,
    string,
    string
  ]
  for (const path of [folder, extra, temp]) {
    fs.mkdirSync(path)
    fs.chownSync(path, uid, uid)
  }
  fs.writeFileSync(join(folder, 'kept'), 'kept\n')
  fs.chownSync(join(folder, 'kept'), uid, uid)
  // Whoever the user is, that user can run these.
  const parts = installHost(join(base, 'package'), hostParts())
  return { folder, extra, temp, parts }
}

const listing = ({ folder, extra, temp }: Workspace): string[] =>
  [folder, extra, temp].flatMap((place) => fs.readdirSync(place).map((name) => join(place, name)))

type Start = (argv: readonly string[], cwd: string, env: Record<string, string>) => Promise<HostAnswer>

/** Node's own pipes are sockets, which nobody can open again by the names of /dev. */
const piped = ['bash', '-c', '"$@" < /dev/null 2>&1 | cat >&2; exit "${PIPESTATUS[0]}"', 'bash']

function startByNode(prefix: readonly string[], uid: number): Start {
  return (argv, cwd, env) =>
    new Promise((resolve) => {
      const [program = '', ...args] = [...piped, ...prefix, ...argv]
      execFile(program, args, { cwd, uid, gid: uid, env, timeout: longestMs }, (error, output, errors) =>
        resolve({ exitCode: error === null ? 0 : typeof error.code === 'number' ? error.code : null, output, errors })
      )
    })
}

async function performOne(job: Job, place: Workspace, start: Start): Promise<string[]> {
  const quiet = { GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_SYSTEM: '/dev/null', PYTHONDONTWRITEBYTECODE: '1' }
  const env = {
    PATH: path,
    HOME: place.temp,
    TMPDIR: place.temp,
    WORKSPACE: place.folder,
    EXTRA: place.extra,
    ...quiet
  }
  const before = listing(place)
  const { exitCode, errors } = await start(['bash', '-euo', 'pipefail', '-c', job.script], place.folder, env)
  const left = listing(place).filter((entry) => !before.includes(entry))
  for (const entry of left) fs.rmSync(entry, { recursive: true, force: true })
  return [
    ...(exitCode === 0 ? [] : [`${job.name}: ${exitCode}: ${errors.slice(-400)}`]),
    ...(left.length === 0 ? [] : [`${job.name} left ${left.join()}`])
  ]
}

const worksWith = ({ except }: Job, { backend, uid }: Confinement): boolean =>
  except?.backend !== backend || (except.uid !== undefined && except.uid !== uid)

/** What failed or was left behind; nothing where all is well. */
export async function perform(jobs: readonly Job[], confinement: Confinement): Promise<string[]> {
  const base = fs.mkdtempSync(join(tmpdir(), 'ordinary-work-'))
  const { backend, uid } = confinement
  const place = makeWorkspace(base, uid)
  const roots = [place.folder, place.extra, place.temp]
  const prefix = prefixOf(confinement, { runner: place.parts.runner, workspace: place.folder, roots, hidden: [] })
  const host = backend === 'prepared' ? await PreparedHost.start(place.parts, uid, place.temp) : null
  const start: Start =
    host === null ? startByNode(prefix, uid) : (argv, cwd, env) => host.run({ prefix, argv, cwd, env })
  try {
    const problems: string[] = []
    for (const job of jobs.filter((job) => worksWith(job, confinement))) {
      problems.push(...(await performOne(job, place, start)))
    }
    return problems
  } finally {
    await host?.end()
    fs.rmSync(base, { recursive: true, force: true })
  }
}
