// The subprocess seam, which this library and the DeepSeek Harness have in common, and a contender on any runtime behind it.

import { type Contender, runContender } from './contender.js'
import { keptBytes } from './tail.js'

interface Collect {
  readonly maxBytes: number
  readonly spill?: { readonly maxBytes: number }
}

interface Reader {
  readFrom(offset: number): { readonly nextOffset: number; readonly spillPath?: string }
}

interface Handle {
  readonly pid: number
  readonly collected: { readonly stdout?: Reader; readonly stderr?: Reader }
  readonly done: Promise<{ readonly exitCode: number | null }>
  terminate(): void
  waitForExit(): Promise<boolean>
}

export interface SeamRuntime {
  resolveExecutable(program: string): Promise<string>
  spawn(spec: {
    readonly argv: readonly string[]
    readonly cwd: string
    readonly stdio: { readonly stdin: 'ignore'; readonly stdout: Collect; readonly stderr: Collect }
    readonly graceMs: number
  }): Handle
}

type Introduced = Pick<Contender, 'waitsFor' | 'note' | 'dispose'>

/** Each command is waited for until the runtime says that its whole range, be it a group or a cgroup, is gone. */
export async function runSeamContender(runtime: SeamRuntime, introduced: Introduced): Promise<void> {
  // As the C limit gets it.
  const bash = await runtime.resolveExecutable('bash')
  const cwd = process.cwd()
  const begin = (argv: readonly string[], collect: Collect = { maxBytes: keptBytes }, graceMs = 3000): Handle =>
    runtime.spawn({ argv, cwd, stdio: { stdin: 'ignore', stdout: collect, stderr: collect }, graceMs })
  const finish = async (handle: Handle) => {
    const outcome = await handle.done
    if (outcome.exitCode !== 0) throw new Error(`a command ended with ${JSON.stringify(outcome)}`)
    await handle.waitForExit()
    handle.collected.stderr?.readFrom(0)
    return handle.collected.stdout?.readFrom(0)
  }
  const end = async (handle: Handle): Promise<void> => {
    handle.terminate()
    await Promise.all([handle.done, handle.waitForExit()])
  }

  await runContender({
    ...introduced,
    command: async () => void (await finish(begin([bash, '-c', ':']))),
    flood: async (argv) => (await finish(begin(argv)))?.nextOffset ?? 0,
    spill: async (argv, bytes) =>
      (await finish(begin(argv, { maxBytes: keptBytes, spill: { maxBytes: bytes } })))?.spillPath ?? 'no spill file',
    start: (argv) => {
      const handle = begin(argv)
      // After all of them were asked for: where the start is asynchronous, reading the process id waits for it.
      const started = Promise.resolve().then(() => {
        if (handle.pid <= 0) throw new Error(`${argv[0]} did not start`)
      })
      return { started, end: () => end(handle) }
    },
    tree: (argv, graceMs) => {
      const handle = begin(argv, undefined, graceMs)
      return { ready: firstOutput(handle), end: () => end(handle) }
    }
  })
}

/** Looks every few milliseconds: neither reader announces what comes. */
async function firstOutput(handle: Handle): Promise<void> {
  let ended = false
  const onEnd = (): void => {
    ended = true
  }
  handle.done.then(onEnd, onEnd)
  while (handle.collected.stdout?.readFrom(0).nextOffset === 0) {
    if (ended) throw new Error('the tree ended before it was complete')
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}
