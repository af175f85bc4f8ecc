// Cases about terminals: output at the end, errors of a clean exit, what a program that does not read costs the host.

import { setTimeout as sleep } from 'node:timers/promises'
import { createContext } from '../../src/context/create-context.js'
import type { SubprocessOptions } from '../../src/context/options.js'
import type { ShellRunResult } from '../../src/shell/types.js'
import { loadPty } from '../../src/subprocess/node/terminal/load-pty.js'
import type { SubprocessTerminalHandle } from '../../src/subprocess/terminal-types.js'
import type { Case } from './case.js'
import { checkCase } from './check-case.js'
import { caseOnProviders } from './on-providers.js'
import type { Observation } from './perform-case.js'

type Terminal = (handle: SubprocessTerminalHandle) => Promise<void>

const size = { rows: 40, cols: 160, cwd: '/', graceMs: 2_000 }
const terminals: readonly [string, () => true] = ['terminals', () => loadPty() && true]
const nothing: Terminal = async () => {}

/** Everything that a terminal showed, in the place of both streams. */
async function performInTerminal(
  { command }: Case,
  subprocess: SubprocessOptions,
  meanwhile: Terminal
): Promise<Observation> {
  await using context = await createContext({ subprocess })
  const from = performance.now()
  const handle = await context.subprocess.spawnTerminal({ ...size, argv: ['bash', '-c', command] })
  const errors: Error[] = []
  const chunks: Buffer[] = []
  handle.output.on('error', (error) => errors.push(error))
  handle.output.on('data', (bytes: Buffer) => chunks.push(bytes))
  const ended = new Promise((resolve) => handle.output.once('end', resolve))
  const { user, system } = process.cpuUsage()
  await Promise.all([meanwhile(handle), handle.done, ended])
  const cpu = process.cpuUsage({ user, system })
  const { exitCode, signal } = await handle.done
  const bytes = Buffer.concat(chunks)
  const stdout = { text: bytes.toString(), truncated: false, totalBytes: bytes.length }
  const result = { exitCode, signal, stdout, stderr: { text: '', truncated: false, totalBytes: 0 } }
  await handle.terminate()
  return {
    outcome: signal === null ? 'exited' : 'signaled',
    tookMs: performance.now() - from,
    result: result as unknown as ShellRunResult,
    error: null,
    survivors: [],
    measured: { errors: errors.length, parentCpuMsMax: (cpu.user + cpu.system) / 1000 }
  }
}

caseOnProviders(
  'B60',
  async (entry, subprocess) => {
    const seen: Observation[] = []
    for (let round = 0; round < 200; round += 1) seen.push(await performInTerminal(entry, subprocess, nothing))
    for (const observation of seen.slice(1)) checkCase(observation, entry.expect)
    return seen[0] as Observation
  },
  { note: '200 times', needs: terminals }
)

caseOnProviders('B61', (entry, subprocess) => performInTerminal(entry, subprocess, nothing), { needs: terminals })

caseOnProviders(
  'B64',
  (entry, subprocess) =>
    performInTerminal(entry, subprocess, async (handle) => {
      const data = 'x'.repeat(Number(entry.opts?.ptyWriteBytes))
      // Until the program has changed the mode, a line of this length may be refused.
      for (let code: unknown = 'EMSGSIZE'; code === 'EMSGSIZE'; await sleep(10)) {
        code = await handle.write(data).catch((error: { code?: unknown }) => error.code)
      }
    }),
  { needs: terminals }
)
