// What a case asks of the process that runs it, done inside of that process.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { createContext } from '../../src/context/create-context.js'
import { survivorsOf } from '../fixtures/shell/live-processes.js'
import { longestTurn } from '../setup/stall.js'
import type { HostTask } from './host-main.js'
import { type Observation, requestOf, runOnce, zombiesBelow } from './perform-case.js'

type Perform = () => Promise<Observation[]>

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const shown = ({ execution: _, ...facts }: Awaited<ReturnType<typeof runOnce>>): Omit<Observation, 'survivors'> => facts

/** Two terminals of ours where the core makes them, and two masters of pseudo-terminals as other libraries have them. */
async function twoTerminals(perform: Perform, { subprocess }: HostTask): Promise<Observation[]> {
  openSync('/dev/ptmx', 'r+')
  openSync('/dev/ptmx', 'r+')
  await using context = await createContext({ subprocess })
  const spec = { argv: ['cat'], cwd: '/', rows: 24, cols: 80, graceMs: 2_000 }
  const own = subprocess.provider === 'native' ? 2 : 0
  await Promise.all(Array.from({ length: own }, () => context.subprocess.spawnTerminal(spec)))
  return perform()
}

/** Fills what is left of the limit on the user's processes; the kernel counts threads too. */
async function processesUsedUp(_perform: Perform, { entry, subprocess }: HostTask): Promise<Observation[]> {
  await using context = await createContext({ subprocess })
  // What a runtime starts for itself is there before the limit is reached.
  await context.shell.run({ command: 'true' })
  const fillers: ChildProcess[] = []
  for (let full = false; !full; ) {
    const filler = spawn('/bin/sleep', ['300.88'], { stdio: 'ignore' })
    filler.on('error', () => {})
    full = filler.pid === undefined
    if (!full) fillers.push(filler)
  }
  const seen = await runOnce(context, requestOf(entry, 'used-up'))
  for (const filler of fillers) filler.kill('SIGKILL')
  await Promise.all(fillers.map((filler) => once(filler, 'close')))
  const later = await context.shell.run({ command: 'echo again' })
  if (later.stdout.text !== 'again\n') throw new Error('no command runs although there is room again')
  return [{ ...shown(seen), survivors: [] }]
}

/** The command runs in a worker that is ended 200 ms after its start. */
async function workerTerminated(_perform: Perform, { entry, subprocess }: HostTask): Promise<Observation[]> {
  const before = zombiesBelow(process.pid)
  const worker = startWorker({ command: entry.command, subprocess })
  await once(worker, 'message')
  await pause(200)
  await worker.terminate()
  // Longer than the command takes.
  await pause(2_000)
  const measured = { zombiesAddedBelowUs: zombiesBelow(process.pid) - before }
  return [{ outcome: 'unknown', tookMs: 0, result: null, error: null, survivors: [], measured }]
}

/** While the command runs, a worker that has run one too comes to its end. */
async function otherThreadEnded(perform: Perform, { subprocess }: HostTask): Promise<Observation[]> {
  const worker = startWorker({ command: 'true', subprocess })
  await once(worker, 'message')
  const seen = perform()
  await pause(200)
  await worker.terminate()
  return seen
}

function startWorker(workerData: unknown): Worker {
  return new Worker(new URL('host-worker.mjs', import.meta.url), { workerData })
}

const heldBytes = 3 * 2 ** 30

/** The loop's longest turn of each command, with that much memory in use. */
async function muchMemory(_perform: Perform, { entry, subprocess }: HostTask): Promise<Observation[]> {
  const held = Array.from({ length: 12 }, () => Buffer.alloc(heldBytes / 12, 1))
  await using context = await createContext({ subprocess })
  await context.shell.run({ command: entry.command })
  const observations: Observation[] = []
  for (let round = 0; round < (entry.expect.repeat as number); round++) {
    const tries: number[] = []
    let seen: Awaited<ReturnType<typeof runOnce>> | undefined
    // Each command has a few tries, since a machine may be held up; a fork that copies page tables never gets through.
    while (
      tries.length === 0 ||
      (tries.length < 4 && Math.min(...tries) > (entry.expect.maxEventLoopBlockMs as number))
    ) {
      tries.push(
        await longestTurn(async () => {
          seen = await runOnce(context, requestOf(entry, 'much-memory'))
        })
      )
    }
    if (seen === undefined) throw new Error('it was not run')
    observations.push({ ...shown(seen), survivors: [], measured: { maxEventLoopBlockMs: Math.min(...tries) } })
  }
  if (held.length !== 12) throw new Error('the memory was let go')
  return observations
}

const childrenOf = (pid: number): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'latin1').trim().split(' ').filter(Boolean)
  )

function isGuardian(pid: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1').split('\0')[1] === 'guard'
  } catch {
    return false
  }
}

/**
 * Looks all the time at what this process has started: one command, and nothing to help it. The guardian is there for
 * the runtime, and does not look like itself until its execve.
 */
async function watchedChildren(perform: Perform): Promise<Observation[]> {
  const children = new Set<string>()
  const timer = setInterval(() => {
    for (const child of childrenOf(process.pid)) {
      if (isGuardian(child)) children.delete(child)
      else children.add(child)
    }
  }, 5)
  const seen = await perform()
  clearInterval(timer)
  const measured = { childProcessesOfHelper: children.size - 1 }
  return seen.map((observation) => ({ ...observation, measured }))
}

function expectFilter(): void {
  if (!/^Seccomp:\s*2$/m.test(readFileSync('/proc/self/status', 'latin1'))) throw new Error('there is no filter')
}

async function denied(perform: Perform): Promise<Observation[]> {
  expectFilter()
  return perform()
}

/** The filter comes when the core has tried everything once already. */
async function deniedLater(perform: Perform): Promise<Observation[]> {
  const seen = await perform()
  process.env.DENY = process.env.DENY_LATER
  try {
    process.dlopen({ exports: {} } as NodeModule, process.env.DENIES_CALLS ?? '')
  } catch {
    // It is no addon; loading it is all that was wanted.
  }
  expectFilter()
  return [...seen, ...(await perform())]
}

/** Ends without waiting for what nobody here may end. */
async function leavesSurvivors(_perform: Perform, { entry, subprocess }: HostTask): Promise<Observation[]> {
  const context = await createContext({ subprocess, shell: { graceMs: 500 } })
  const seen = await runOnce(context, requestOf(entry, 'leaves'))
  setImmediate(() => process.exit(0))
  return [{ ...shown(seen), survivors: [] }]
}

/** Is killed 300 ms after the start of the command. */
async function killed(_perform: Perform, { entry, subprocess }: HostTask): Promise<Observation[]> {
  const context = await createContext({ subprocess })
  const seen = runOnce(context, requestOf(entry, 'host-killed'))
  while (survivorsOf('QUIESCE_CASE=host-killed').length === 0) await pause(5)
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), 300)
  await seen
  throw new Error('the command ended before its host')
}

export const parents = {
  twoTerminals,
  processesUsedUp,
  workerTerminated,
  otherThreadEnded,
  muchMemory,
  watchedChildren,
  denied,
  deniedLater,
  leavesSurvivors,
  killed
} as const
