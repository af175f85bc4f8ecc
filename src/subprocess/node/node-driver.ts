// One command run by child_process: its start, its end, and the ladder that ends its range, whatever that is. Everything
// here runs on the event loop, so a blocked loop delays a deadline; that is what the native core is for.

import type * as ChildProcessModule from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import type { Duplex, Readable, Writable } from 'node:stream'
import type { DriverEvents, PreparedSpawn, ProcessDriver } from '../local/driver.js'
import type { RangeKind, TerminationCause } from '../types.js'
import type { Collector } from './collector.js'
import { isZombie } from './group-states.js'
import type { Launch, LaunchedAs } from './launch.js'
import { limitRefusal } from './limit-refusal.js'
import { preferForOom } from './oom-score.js'
import type { ProcessTree } from './process-tree.js'
import type { RangeWatch, WatchedRange } from './range-watch.js'
import { outputSettled } from './settlement.js'
import { stdioError } from './start-error.js'
import { CommandStdio, type CommandStreams, type StdioResources } from './stdio.js'

export interface DriverResources extends StdioResources {
  readonly watch: RangeWatch
  readonly launch: Launch
}

/** Time for KILL itself, however short the grace for the command: a busy machine needs it to take down what is big. */
const leastKillMs = 1000

const unknownUsage = {
  userMs: null,
  systemMs: null,
  maxRssBytes: null,
  treeCpuMs: null,
  memoryPeakBytes: null,
  pidsPeak: null,
  oomKills: null
}

interface Exit {
  readonly exitCode: number | null
  readonly signal: NodeJS.Signals | null
  readonly at: number
}

export class NodeDriver implements ProcessDriver, WatchedRange {
  readonly range: RangeKind
  readonly pid: number
  cause: TerminationCause | null = null
  readonly #prepared: PreparedSpawn
  readonly #events: DriverEvents
  readonly #launch: Launch
  readonly #watch: RangeWatch
  readonly #streams: CommandStreams
  readonly #tree: ProcessTree | null = null
  readonly #startedAt = performance.now()
  readonly #child: ChildProcess | null
  #exit: Exit | null = null
  #settled = false
  #empty = false
  /** KILL has had its time and ended nothing: the kernel holds a process. */
  #unkillable = false
  #stage: 'running' | 'terminating' | 'killing' = 'running'
  #deadline: NodeJS.Timeout | undefined
  #grace: NodeJS.Timeout | undefined
  #onEmpty: (() => void) | undefined

  constructor(prepared: PreparedSpawn, events: DriverEvents, resources: DriverResources) {
    this.#prepared = prepared
    this.#events = events
    this.#watch = resources.watch
    this.#launch = resources.launch
    this.range = resources.launch.range
    const stdio = new CommandStdio(prepared, resources)
    const child = this.#start(stdio)
    this.#child = child
    stdio.handOver()
    this.#streams = stdio.streams(child)
    this.pid = child?.pid ?? -1
    if (child?.pid === undefined) return
    preferForOom(child.pid)
    const exited = () => this.#exit !== null
    this.#tree = this.#launch.tree(child.pid, exited, (error) => events.unobservable(error))
    child.once('exit', (exitCode, signal) => this.#exited(exitCode, signal))
    if (prepared.deadlineMs !== undefined) {
      this.#deadline = setTimeout(() => this.#expire(), prepared.deadlineMs).unref()
    }
  }

  get isGroup(): boolean {
    return this.range === 'group'
  }

  get stdin(): Writable | null {
    return this.#streams.stdin
  }

  get stdout(): Readable | null {
    return this.#streams.stdout
  }

  get stderr(): Readable | null {
    return this.#streams.stderr
  }

  get control(): Duplex | null {
    return this.#streams.control
  }

  get output(): CommandStreams['output'] {
    return this.#streams.output
  }

  get collectors(): Collector[] {
    const { stdout, stderr } = this.#streams.output
    return [stdout, stderr].filter((collector) => collector !== undefined)
  }

  /** The ladder runs, so its end is wanted soon. */
  get urgent(): boolean {
    return this.#stage !== 'running'
  }

  terminate(): void {
    this.#end('terminate')
  }

  kill(): void {
    if (!this.#empty) this.#tree?.kill()
  }

  exists(): boolean {
    return this.#tree?.exists() === true
  }

  /** A process may have joined the group after the KILL. */
  remains(): void {
    if (this.#stage === 'killing') this.kill()
  }

  emptied(): void {
    this.#empty = true
    clearTimeout(this.#grace)
    this.#events.quiescent()
    this.#onEmpty?.()
  }

  #start(stdio: CommandStdio): ChildProcess | null {
    const refusal = limitRefusal(this.#prepared.limits)
    if (refusal !== null) {
      this.#failLater(refusal)
      return null
    }
    try {
      stdio.open()
    } catch (error) {
      this.#failLater(stdioError(error as Error, this.#prepared))
      return null
    }
    try {
      return this.#spawn(this.#launch.prepare(), stdio)
    } catch (error) {
      this.#failLater(error as Error)
      return null
    }
  }

  #spawn({ argv, environment, request }: LaunchedAs, stdio: CommandStdio): ChildProcess {
    const [program = '', ...args] = argv
    if (request !== undefined) stdio.pass(request.fd, request.as)
    const { spawn } = process.getBuiltinModule('node:child_process') as typeof ChildProcessModule
    try {
      const child = spawn(program, args, {
        cwd: this.#prepared.cwd,
        env: environment,
        stdio: stdio.entries,
        // A session of its own, so a group that can be signalled as one. On Windows that would open a console window.
        detached: process.platform !== 'win32',
        windowsHide: true
      })
      // Stays for good: later errors are about signals and channels of the child object, which are not used.
      child.on('error', (error) => {
        if (child.pid === undefined) this.#fail(this.#launch.refused(error))
      })
      return child
    } catch (error) {
      throw this.#launch.refused(error as Error)
    }
  }

  #failLater(error: Error): void {
    process.nextTick(() => this.#fail(error))
  }

  #fail(error: Error): void {
    this.#launch.end()
    clearTimeout(this.#grace)
    this.#empty = true
    for (const collector of this.collectors) collector.endEmpty()
    this.#events.failed(error)
  }

  #exited(exitCode: number | null, signal: NodeJS.Signals | null): void {
    const neverBegan = this.#launch.end()
    // A stop that came before ended what was to become the command, whatever that made of it.
    const stopped = neverBegan !== null && signal === null && this.cause !== null
    this.#exit = { exitCode: stopped ? null : exitCode, signal: stopped ? 'SIGTERM' : signal, at: performance.now() }
    clearTimeout(this.#deadline)
    if (neverBegan !== null && this.#exit.signal === null) {
      this.#fail(neverBegan())
      return
    }
    this.#watch.add(this)
    if (!this.#empty && this.#prepared.leftovers === 'terminate') this.#end(null)
    void this.#settle(this.#exit)
  }

  async #settle({ exitCode, signal, at }: Exit): Promise<void> {
    const { graceMs, deadlineMs = Number.POSITIVE_INFINITY } = this.#prepared
    await outputSettled(this.collectors, at, Math.min(at + graceMs, this.#startedAt + deadlineMs))
    if (this.#prepared.leftovers === 'terminate') await this.#emptiness()
    this.#report({ exitCode, signal, at })
  }

  #report({ exitCode, signal, at }: Exit): void {
    if (this.#settled) return
    this.#settled = true
    for (const collector of this.collectors) collector.unref()
    this.#events.settled({
      exitCode,
      signal,
      cause: this.cause,
      usage: { wallMs: at - this.#startedAt, ...unknownUsage },
      quiescent: this.#empty
    })
  }

  #emptiness(): Promise<void> {
    if (this.#empty || this.#unkillable) return Promise.resolve()
    return new Promise((resolve) => {
      this.#onEmpty = resolve
    })
  }

  /** Timers run before events in a turn of the loop: after a blocked one, an exit that was in time is heard first. */
  #expire(): void {
    setImmediate(() => {
      if (this.#exit === null) this.#end('deadline')
    })
  }

  /** The cause is what ends the command itself; what happens to its leftovers later is none. */
  #end(cause: TerminationCause | null): void {
    if (this.#stage !== 'running' || this.#empty || this.#tree === null) return
    this.#stage = 'terminating'
    // A command that has ended was ended by nobody, even if its exit has not been heard yet.
    if (this.#exit === null && !isZombie(this.pid)) this.cause = cause
    this.#tree.terminate()
    this.#grace = setTimeout(() => {
      this.#stage = 'killing'
      this.kill()
      this.#watch.hurry()
      this.#grace = setTimeout(() => this.#giveUp(), Math.max(this.#prepared.graceMs, leastKillMs)).unref()
    }, this.#prepared.graceMs).unref()
    this.#watch.hurry()
  }

  /** The result is told without the end of the command, or of its leftovers; emptiness is still looked for. */
  #giveUp(): void {
    this.#unkillable = true
    this.#onEmpty?.()
    if (this.#exit !== null) return
    this.#child?.unref()
    this.#report({ exitCode: null, signal: null, at: performance.now() })
  }
}
