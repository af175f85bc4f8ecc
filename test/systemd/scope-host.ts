// Hosts whose commands run in the `scope` range: programs of Node where a user manager answers. Each tells what it saw as
// JSON.

import { join } from 'node:path'
import { outdir, transpile } from '../lifecycle/host.js'
import { type InsideOptions, inUserSystemd, type Place } from './in-user-systemd.js'

const fromSources = (path: string): string => JSON.stringify(`file://${join(outdir, path)}`)

/** What every program finds: `startRuntime`, `bash` for specs, `finished`, `launchers`, `running`, `scopeFolders`, `tell`. */
const prelude = `
import * as fs from 'node:fs'
import { execFileSync, spawn } from 'node:child_process'
import { NativeSubprocessRuntime } from ${fromSources('subprocess/native/native-runtime.js')}
import { createContext } from ${fromSources('context/create-context.js')}

const startRuntime = (options = {}) => new NativeSubprocessRuntime({ ranges: ['scope'], ...options })
const collect = { maxBytes: 100000 }
const bash = (script, parts = {}, stdio = {}) => ({
  argv: ['bash', '-c', script], cwd: '/', graceMs: 5000, ...parts,
  stdio: { stdin: 'ignore', stdout: collect, stderr: collect, ...stdio }
})
const textOf = (handle, stream = 'stdout') => handle.collected[stream].readFrom(0).text
async function finished(handle) {
  const { exitCode, signal } = await handle.done
  return { exitCode, signal, stdout: textOf(handle), stderr: textOf(handle, 'stderr') }
}
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
async function until(condition, ms = 20000) {
  const deadline = Date.now() + ms
  while (!condition()) {
    if (Date.now() > deadline) throw new Error('waited in vain for ' + condition)
    await pause(2)
  }
}
function processes() {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\\d+$/.test(name)) return []
    try {
      const stat = fs.readFileSync('/proc/' + name + '/stat', 'latin1')
      const [state, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
      const args = fs.readFileSync('/proc/' + name + '/cmdline', 'latin1').split('\\0')
      return [{ pid: Number(name), state, parent: Number(parent), args }]
    } catch {
      return []
    }
  })
}
const running = (marker) => processes().filter(({ state, args }) => args.includes(marker) && !'ZX'.includes(state))
// The way into this place may have left this process a child that it knows nothing of.
const inherited = processes().filter(({ parent }) => parent === process.pid).map(({ pid }) => pid)
const children = () => processes().filter(({ pid, parent }) => parent === process.pid && !inherited.includes(pid))
const textIn = (path) => { try { return fs.readFileSync(path, 'latin1') } catch { return '' } }
// By their place: before its execve a command looks like the launcher that has cloned it.
const launchers = () =>
  children().filter(({ state }) => !'ZX'.includes(state)).map(({ pid }) => pid).filter((pid) => /^0::.*\\.scope\\/launcher$/m.test(textIn('/proc/' + pid + '/cgroup')))
function scopeFolders(folder = '/sys/fs/cgroup/user.slice') {
  let entries = []
  // Folders come and go.
  try { entries = fs.readdirSync(folder, { withFileTypes: true }) } catch {}
  return entries.filter((entry) => entry.isDirectory()).flatMap(({ name }) =>
    name.startsWith('quiesce-') ? [name] : scopeFolders(folder + '/' + name))
}
const units = () =>
  execFileSync('systemctl', ['--user', 'list-units', '--all', '--plain', '--no-legend', 'quiesce-*'], { encoding: 'utf8' })
const descriptors = () => fs.readdirSync('/proc/self/fd').length
const tell = (what) => console.log(JSON.stringify(what))
`

const arguments_ = ['--input-type=module', '-e']

/** What the program told; throws what it said otherwise. */
export async function inScope(place: Place, body: string, options: InsideOptions = {}): Promise<unknown> {
  transpile()
  const ended = await inUserSystemd(place, [process.execPath, ...arguments_, prelude + body], options)
  if (ended.status !== 0) throw new Error(`the host ended with status ${ended.status}: ${ended.stderr}${ended.stdout}`)
  const lines = ended.stdout.trim().split('\n')
  return JSON.parse(lines.at(-1) ?? '')
}

/** For programs that start further hosts: the text of one, as a literal. */
export const hostProgram = (body: string): string => JSON.stringify([...arguments_, prelude + body])
