// A host over contexts, run to its end, and what it left behind: processes, temporary files, cgroup folders.

import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { vi } from 'vitest'
import { cgroupFacts } from '../../src/cli/doctor/cgroup-facts.js'
import { running, sleepMarker } from '../subprocess/behaviour/observe.js'
import { type HostProvider, outdir, transpile } from './host.js'
import { type HostEnd, type HostOptions, runProgram } from './program.js'

vi.setConfig({ testTimeout: 90_000 })

export interface Left {
  readonly processes: readonly number[]
  readonly temporary: readonly string[]
  readonly cgroups: readonly string[]
}

export const nothing: Left = { processes: [], temporary: [], cgroups: [] }

/** What the threads of a host find beside `createContext`, `options` and `marker`. */
const tools = `
  const start = (ctx, command, parts) => ctx.shell.execute(ctx.shell.resolve({ command, ...parts }))
  const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))
  const saying = async (execution, text = 'up') => {
    while (!execution.observed.stdout.readFrom(0).text.includes(text)) await pause(5)
    return execution
  }
  const sleeper = async (ctx) => saying(await start(ctx, 'echo up; exec sleep ' + marker))
  const stubborn = async (ctx) =>
    saying(await start(ctx, 'trap "" TERM; (trap "" TERM; echo up; while :; do sleep ' + marker + '; done) & wait'))
  const spilling = async (ctx) => saying(
    await start(ctx, 'head -c 5000 /dev/zero; echo up; exec sleep ' + marker, { stdoutMaxBytes: 100 }))
`

/** `url` is a module that has createContext; absent: the sources of this checkout. */
export function hostSource(provider: HostProvider, marker: string, body: string, url = contextUrl()): string {
  const options = { shell: { graceMs: 500 }, subprocess: { provider } }
  return `
    import { Worker } from 'node:worker_threads'
    import { createContext } from ${JSON.stringify(url)}
    const marker = '${marker}'
    const options = { ...${JSON.stringify(options)}, onWarning: () => {} }
    ${tools}
    /** A thread with the same names and \`port\`, a way to whoever started it. */
    const thread = (body) => new Worker(\`
      import('node:worker_threads').then(({ parentPort: port }) =>
      import(${JSON.stringify(url)}).then(async ({ createContext }) => {
        const marker = '${marker}'
        const options = { ...${JSON.stringify(options)}, onWarning: () => {} }
        ${tools.replaceAll('`', '\\`')}
        \${body}
      }))\`, { eval: true })
    ${body}`
}

export function contextUrl(): string {
  transpile()
  return `file://${join(outdir, 'context/create-context.js')}`
}

/** Runs `body` as a module in a host of its own; `sleep` of the marker is how its commands are found. */
export async function runTraced(
  provider: HostProvider,
  body: string,
  options: HostOptions & { readonly url?: string; readonly marker?: string } = {}
): Promise<{ end: HostEnd; left: Left }> {
  const marker = options.marker ?? sleepMarker()
  const tmp = fs.realpathSync(fs.mkdtempSync(join(tmpdir(), 'traced-host-')))
  try {
    const source = hostSource(provider, marker, body, options.url)
    const { end, pid } = await runProgram(source, { ...options, env: { ...options.env, TMPDIR: tmp } })
    return { end, left: { processes: running(marker), temporary: fs.readdirSync(tmp), cgroups: cgroupsOf(pid) } }
  } finally {
    fs.rmSync(tmp, { recursive: true })
  }
}

function cgroupsOf(pid: number): string[] {
  const { folder } = cgroupFacts()
  if (folder === null) return []
  return fs.readdirSync(folder).filter((name) => name.startsWith(`quiesce-${pid}-`))
}

/** A host that ended by itself, with nothing to complain about. */
export function clean(stdout: string): { end: HostEnd; left: Left } {
  return { end: { code: 0, signal: null, stdout, stderr: '' }, left: nothing }
}
