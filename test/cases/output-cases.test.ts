// Cases about output that are measured while they run: floods, spill files, slow readers, both streams as one.

import { randomUUID } from 'node:crypto'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, expect, vi } from 'vitest'
import { createContext } from '../../src/context/create-context.js'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { longestTurn } from '../setup/stall.js'
import { caseOnProviders } from './on-providers.js'
import { type Observation, performCase, requestOf, runOnce } from './perform-case.js'

vi.setConfig({ testTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'output-cases-'))
afterAll(() => rmSync(folder, { recursive: true }))

const bytesBelow = (place: string): number =>
  readdirSync(place, { recursive: true, encoding: 'utf8' })
    .map((name) => statSync(join(place, name), { throwIfNoEntry: false }))
    .reduce((sum, stat) => sum + (stat?.isFile() ? stat.size : 0), 0)

const shown = ({ execution: _, ...facts }: Awaited<ReturnType<typeof runOnce>>): Omit<Observation, 'survivors'> => facts

caseOnProviders('B37', async (entry, subprocess) => {
  const spillDir = mkdtempSync(join(folder, 'spill-'))
  const maxSpillBytes = entry.opts?.spillMaxBytes
  await using context = await createContext({ subprocess: { ...subprocess, spillDir }, shell: { maxSpillBytes } })
  const execution = await context.shell.execute(context.shell.resolve({ command: entry.command, onExpiry: 'none' }))
  const from = performance.now()
  let spillBytesMax = 0
  while (performance.now() - from < (entry.opts?.stopAfterMs ?? 0)) {
    spillBytesMax = Math.max(spillBytesMax, bytesBelow(spillDir))
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  // Far beyond the cap, so it was the cap that held.
  expect(execution.observed.stdout.totalBytes).toBeGreaterThan(4 * (maxSpillBytes ?? 0))
  const { status: outcome } = execution
  return { outcome, tookMs: 0, result: null, error: null, survivors: [], measured: { spillBytesMax } }
})

caseOnProviders('B38', async (entry, subprocess) => {
  await using context = await createContext({ subprocess, shell: { maxOutputBytes: 500 } })
  const earlier = await context.shell.run({ command: 'seq 1 20000' })
  const request = requestOf(entry, randomUUID())
  const SPILL_DIR = dirname(earlier.stdout.spillPath ?? '')
  const seen = await runOnce(context, { ...request, env: { ...request.env, SPILL_DIR } })
  // It did read the spill file of its predecessor.
  expect(seen.result?.stdout.totalBytes).toBeGreaterThanOrEqual(1004)
  return { ...shown(seen), survivors: [] }
})

caseOnProviders('B40', async (entry, subprocess) => {
  await using context = await createContext({ subprocess, shell: { graceMs: 2_000 } })
  const marker = randomUUID()
  let seen: Awaited<ReturnType<typeof runOnce>> | undefined
  const maxEventLoopBlockMs = await longestTurn(async () => {
    seen = await runOnce(context, requestOf(entry, marker))
  })
  if (seen === undefined) throw new Error('it was not run')
  await seen.execution?.waitForExit()
  return { ...shown(seen), survivors: survivorsOf(`QUIESCE_CASE=${marker}`), measured: { maxEventLoopBlockMs } }
})

caseOnProviders('B41', async (entry, subprocess) => {
  const before = process.memoryUsage.rss()
  let peak = before
  const timer = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss())
  }, 10)
  const [seen] = await performCase(entry, subprocess)
  clearInterval(timer)
  return { ...(seen as Observation), measured: { maxRssGrowthMB: (peak - before) / 2 ** 20 } }
})

caseOnProviders('B91', async (entry, subprocess) => {
  const pauseMs = entry.opts?.pauseReaderMs ?? 0
  await using context = await createContext({ subprocess })
  const seen = runOnce(context, requestOf(entry, randomUUID()))
  // Nobody reads on this side meanwhile.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, pauseMs)
  const collect = { maxBytes: 1000 }
  const raw = context.subprocess.spawn({
    argv: ['bash', '-c', entry.command],
    cwd: '/',
    graceMs: 2000,
    stdio: { stdin: 'ignore', stdout: 'pipe', stderr: collect }
  })
  await new Promise((resolve) => setTimeout(resolve, pauseMs))
  let bytes = 0
  for await (const chunk of raw.stdout ?? []) bytes += chunk.length
  const stderr = await raw.done.then(() => raw.collected.stderr?.readFrom(0).text)
  expect({ outcome: await raw.done, bytes, stderr }).toEqual({
    outcome: { exitCode: 0, signal: null },
    bytes: entry.expect.totalBytes,
    stderr: 'rc=0\n'
  })
  return { ...shown(await seen), survivors: [] }
})

caseOnProviders(
  'B94',
  async (entry, subprocess) => {
    await using context = await createContext({ subprocess })
    const seen = await runOnce(context, requestOf(entry, randomUUID(), `exec 2>&1\n${entry.command}`))
    return { ...shown(seen), survivors: [] }
  },
  { note: 'merged by the command itself: exec 2>&1' }
)

caseOnProviders('B59', async (entry, subprocess) => {
  const size = entry.opts?.stdinBytes ?? 0
  await using context = await createContext({ subprocess })
  const marker = randomUUID()
  const seen = await runOnce(context, { ...requestOf(entry, marker), stdin: 'x'.repeat(size) })
  const handle = context.subprocess.spawn({
    argv: ['bash', '-c', entry.command],
    cwd: '/',
    graceMs: 2000,
    stdio: { stdin: 'pipe', stdout: 'ignore', stderr: 'ignore' }
  })
  const chunk = Buffer.alloc(64 * 1024)
  let stdinWritten = 0
  const write = (): Promise<unknown> =>
    new Promise((resolve) => handle.stdin?.write(chunk, (error) => resolve(error ?? null)))
  while (stdinWritten < size && (await write()) === null) stdinWritten += chunk.length
  expect(await handle.done).toEqual({ exitCode: 7, signal: null })
  return { ...shown(seen), survivors: survivorsOf(`QUIESCE_CASE=${marker}`), measured: { stdinWritten } }
})
