// Real Node processes as hosts: the sources, transpiled file by file, so that nothing has to be built before and the
// addon is found where it is for the package itself.

import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../setup/source-imports.js'
import { type HostEnd, type HostOptions, runProgram } from './program.js'

/** As deep as the published folder, so that what is looked up from there is found. */
export const outdir = join(root, 'build-lifecycle')

let transpiled = false

export function transpile(): void {
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

/**
 * Runs `body` as a module in a Node process of its own. It finds a `runtime`, and `bash(script, parts, stdio)` for specs.
 */
export async function runHost(
  provider: HostProvider,
  body: string,
  env: NodeJS.ProcessEnv = {},
  options: HostOptions = {}
): Promise<HostEnd> {
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
  return (await runProgram(program, { ...options, env: { ...env, ...options.env } })).end
}
