// One host process: a module given as text, run by a Node (or what stands in for one) to its end, whatever that is.

import { type ChildProcess, spawn } from 'node:child_process'

export interface HostEnd {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface HostOptions {
  readonly env?: NodeJS.ProcessEnv
  /** A program and arguments that end by executing what follows them. */
  readonly launcher?: readonly string[]
  readonly nodeArguments?: readonly string[]
  /** Absent: the Node that runs the tests. */
  readonly program?: string
  /** How the program takes a module as text. Absent: as Node does. */
  readonly evaluate?: readonly string[]
  /** Called with all of stdout so far, whenever something came. */
  readonly onStdout?: (text: string, child: ChildProcess) => void
}

/** A host that hangs is killed, which its test then sees as the signal; one on a machine that is held up takes its time. */
const patienceMs = 60_000

export async function runProgram(source: string, options: HostOptions): Promise<{ end: HostEnd; pid: number }> {
  const { launcher = [], nodeArguments = [], program = process.execPath, env, onStdout } = options
  const { evaluate = ['--input-type=module', '-e'] } = options
  const [file = program, ...args] = [...launcher, program, ...nodeArguments, ...evaluate, source]
  const child = spawn(file, args, { env: { ...process.env, ...env } })
  const output = { stdout: '', stderr: '' }
  for (const stream of ['stdout', 'stderr'] as const) {
    child[stream].setEncoding('utf8').on('data', (chunk: string) => {
      output[stream] += chunk
      if (stream === 'stdout') onStdout?.(output.stdout, child)
    })
  }
  const hung = setTimeout(() => child.kill('SIGKILL'), patienceMs)
  const closed = new Promise((done) => child.on('close', done))
  return new Promise((resolve) => {
    // Not 'close': a command that outlives its host may hold the streams.
    child.on('exit', (code, signal) => {
      clearTimeout(hung)
      setImmediate(() => {
        const late = new Promise((done) => setTimeout(done, 2000).unref())
        void Promise.race([closed, late]).then(() => {
          child.stdout.destroy()
          child.stderr.destroy()
          resolve({ end: { code, signal, ...output }, pid: child.pid ?? -1 })
        })
      })
    })
  })
}
