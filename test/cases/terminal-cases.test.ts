// Cases about terminals: output at the end, errors of a clean exit, what a program that does not read costs the host.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../src/context/compose-context.js'
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
async function performIn(context: Context, { command }: Case, meanwhile: Terminal): Promise<Observation> {
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

async function perform(entry: Case, subprocess: SubprocessOptions, meanwhile = nothing): Promise<Observation> {
  await using context = await createContext({ subprocess })
  return await performIn(context, entry, meanwhile)
}

const rounds = 20
const atOnce = 10

caseOnProviders(
  'B60',
  async (entry, subprocess) => {
    await using context = await createContext({ subprocess })
    for (let round = 0; round < rounds; round += 1) {
      const all = Array.from({ length: atOnce }, () => performIn(context, entry, nothing))
      for (const seen of await Promise.all(all)) checkCase(seen, entry.expect)
    }
    return await performIn(context, entry, nothing)
  },
  { note: '200 times and once more', needs: terminals }
)

caseOnProviders('B61', (entry, subprocess) => perform(entry, subprocess), { needs: terminals })

caseOnProviders(
  'B64',
  (entry, subprocess) =>
    perform(entry, subprocess, async (handle) => {
      // Until the program has changed the mode, a line of this length may be refused.
      const probe = 'x'.repeat(4096)
      for (let code: unknown = 'EMSGSIZE'; code === 'EMSGSIZE'; await sleep(10)) {
        code = await handle.write(probe).catch((error: { code?: unknown }) => error.code)
      }
      await handle.write('x'.repeat(Number(entry.opts?.ptyWriteBytes) - probe.length)).catch(() => {})
    }),
  { needs: terminals }
)
