// Real Node processes as hosts: the sources, transpiled file by file, so that nothing has to be built before and the
// addon is found where it is for the package itself.

import { execFileSync, spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))
/** As deep as the published folder, so that what is looked up from there is found. */
const outdir = join(root, 'build-lifecycle')

let transpiled = false

function transpile(): void {
  if (transpiled) return
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  const files = sources.filter((path) => path.endsWith('.ts')).map((path) => join('src', path))
  // The program and not the library: that leaves a process of its own running.
  const args = [...files, `--outdir=${outdir}`, '--outbase=src', '--format=esm', '--target=node20', '--log-level=error']
  execFileSync(join(root, 'node_modules/.bin/esbuild'), args, { cwd: root })
  transpiled = true
}

const classes = {
  node: ['node/node-runtime.js', 'NodeSubprocessRuntime'],
  native: ['native/native-runtime.js', 'NativeSubprocessRuntime']
} as const

export type HostProvider = keyof typeof classes

export interface HostEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

/**
 * Runs `body` as a module in a Node process of its own. It finds a `runtime`, and `bash(script, parts, stdio)` for specs.
 */
export async function runHost(provider: HostProvider, body: string, env: NodeJS.ProcessEnv = {}): Promise<HostEnd> {
  transpile()
  const [file, name] = classes[provider]
  const url = JSON.stringify(`file://${join(outdir, 'subprocess', file)}`)
  const program = `
    import { ${name} } from ${url}
    const runtime = new ${name}()
    const collect = { maxBytes: 1000 }
    const bash = (script, parts = {}, stdio = {}) => ({
      argv: ['bash', '-c', script], cwd: '/', graceMs: 5000, ...parts,
      stdio: { stdin: 'ignore', stdout: collect, stderr: collect, ...stdio }
    })
    ${body}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], { env: { ...process.env, ...env } })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      output[stream] += chunk
    })
  }
  return new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, ...output }))
  })
}
