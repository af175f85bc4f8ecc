// A host whose commands enter a prepared confinement: for each line with a request it runs one command through the native
// provider and tells how it ended. It is the same process for all, so that their policies are prepared once.

import { createInterface } from 'node:readline'
import { prepareConfinement } from '../../../src/sandbox/prepared.js'
import { NativeSubprocessRuntime } from '../../../src/subprocess/native/native-runtime.js'

export interface HostRequest {
  /** What stands before the command in the long way. */
  readonly prefix: readonly string[]
  readonly argv: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

export interface HostAnswer {
  readonly exitCode: number | null
  readonly output: string
  readonly errors: string
}

const collect = { maxBytes: 1 << 16 }

async function run(runtime: NativeSubprocessRuntime, request: HostRequest): Promise<HostAnswer> {
  const { prefix, argv, cwd, env } = request
  const handle = runtime.spawn({
    argv: [...prefix, ...argv],
    confinement: prepareConfinement(prefix, argv),
    cwd,
    env,
    stdio: { stdin: 'ignore', stdout: collect, stderr: collect },
    graceMs: 1_000,
    deadlineMs: 60_000,
    leftovers: 'terminate'
  })
  const { exitCode } = await handle.done
  const { stdout, stderr } = handle.collected
  return { exitCode, output: stdout?.readFrom(0).text ?? '', errors: stderr?.readFrom(0).text ?? '' }
}

const runtime = new NativeSubprocessRuntime({ ranges: ['group'] })
process.stdout.write('ready\n')
for await (const line of createInterface({ input: process.stdin })) {
  const answer = await run(runtime, JSON.parse(line)).catch((error) => ({
    exitCode: null,
    output: '',
    errors: String(error)
  }))
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}
await runtime.dispose()
