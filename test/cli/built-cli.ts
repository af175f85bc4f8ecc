// The command line, built once for a test file beside the sources and run as a program of its own.

import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { build, stop } from 'esbuild'
import { afterAll, beforeAll } from 'vitest'
import { root, sourceFiles } from '../setup/source-imports.js'

export interface Finished {
  readonly status: number | null
  readonly signal: string | null
  readonly stdout: string
  readonly stderr: string
}

export interface RunOptions {
  readonly input?: string | Buffer
  readonly env?: NodeJS.ProcessEnv
  readonly cwd?: string
}

let folder = ''

/** Call once in a test file. The folder lies where `dist` does, so that the addon is found as in a real build. */
export function useBuiltCli(): void {
  beforeAll(async () => {
    folder = mkdtempSync(join(root, 'build-cli-'))
    await build({
      entryPoints: sourceFiles('src', '.ts').map((path) => join(root, path)),
      outdir: folder,
      outbase: join(root, 'src'),
      format: 'esm',
      target: 'node20',
      logLevel: 'silent'
    })
    // Its service would go on running.
    await stop()
  })
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
}

/** Its main file, for those who start it by themselves. */
export const cliProgram = (): string => join(folder, 'cli/main.js')

export function startCli(args: readonly string[], { env, cwd }: RunOptions = {}): ChildProcess {
  return spawn(process.execPath, [cliProgram(), ...args], { env: { ...process.env, ...env }, cwd })
}

/** Runs it with `file` as its stdout; gives its exit status and what it says on stderr. */
export async function cliInto(file: string, args: readonly string[]): Promise<Pick<Finished, 'status' | 'stderr'>> {
  const stdout = openSync(file, 'w')
  try {
    const program = [cliProgram(), ...args]
    const { status, stderr } = await finished(spawn(process.execPath, program, { stdio: ['ignore', stdout, 'pipe'] }))
    return { status, stderr }
  } finally {
    closeSync(stdout)
  }
}

export function finished(child: ChildProcess): Promise<Finished> {
  const chunks: { stdout: Buffer[]; stderr: Buffer[] } = { stdout: [], stderr: [] }
  child.stdout?.on('data', (chunk: Buffer) => chunks.stdout.push(chunk))
  child.stderr?.on('data', (chunk: Buffer) => chunks.stderr.push(chunk))
  return new Promise((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => {
      const [stdout, stderr] = [Buffer.concat(chunks.stdout), Buffer.concat(chunks.stderr)].map((all) => all.toString())
      resolve({ status, signal, stdout: stdout ?? '', stderr: stderr ?? '' })
    })
  })
}

export function cli(args: readonly string[], options: RunOptions = {}): Promise<Finished> {
  const child = startCli(args, options)
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(options.input ?? '')
  return finished(child)
}

/** The options that choose a provider. Without its range the fallback says that process groups are weak. */
export function onProvider(provider: unknown): readonly string[] {
  return ['--provider', String(provider), ...(provider === 'node' ? ['--range', 'group'] : [])]
}
