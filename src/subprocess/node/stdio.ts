// The descriptors of one command: what child_process is told, and what the host keeps.
// stdin data that is small lies in a file without a name, so that the command can also open it again (/dev/stdin); a
// large one goes through a socket, since writing it to disk would stop the event loop. Output runs through real pipes
// where they can be had.

import type { ChildProcess, StdioOptions } from 'node:child_process'
import * as fs from 'node:fs'
import type { Duplex, Readable, Writable } from 'node:stream'
import { attachmentDescriptor, controlDescriptor } from '../environment.js'
import type { PreparedSpawn } from '../local/driver.js'
import type { SpillFolder } from '../local/spill-folder.js'
import type { SubprocessInput, SubprocessOutput } from '../types.js'
import { Collector } from './collector.js'
import { openNameless } from './nameless-file.js'
import type { PipePool } from './pipe-pool.js'
import {
  collectDescriptor,
  collectStream,
  endedDuplex,
  endedReadable,
  endedWritable,
  readDescriptor
} from './streams.js'

export interface CommandStreams {
  readonly stdin: Writable | null
  readonly stdout: Readable | null
  readonly stderr: Readable | null
  readonly control: Duplex | null
  readonly output: { readonly stdout?: Collector; readonly stderr?: Collector }
}

export interface StdioResources {
  readonly pipes: PipePool
  readonly spillFolder: SpillFolder
  /** Where files without a name may be made, the first that works. */
  readonly tempDirs: readonly string[]
}

type OutputName = 'stdout' | 'stderr'
type Entry = 'ignore' | 'pipe' | 'inherit' | number

const largestFileBytes = 1024 * 1024

export class CommandStdio {
  readonly entries: Entry[] = ['ignore', 'ignore', 'ignore']
  readonly #prepared: PreparedSpawn
  readonly #resources: StdioResources
  /** Descriptors that only the command is to have after the start. */
  readonly #handedOver: number[] = []
  readonly #readEnds: { stdout?: number; stderr?: number } = {}
  readonly #collectors: { stdout?: Collector; stderr?: Collector } = {}

  /** Opens nothing yet, so it cannot fail. */
  constructor(prepared: PreparedSpawn, resources: StdioResources) {
    this.#prepared = prepared
    this.#resources = resources
    for (const name of ['stdout', 'stderr'] as const) {
      const mode = prepared.stdio[name]
      if (typeof mode === 'object') this.#collectors[name] = new Collector(mode, name, resources.spillFolder)
    }
  }

  /** Opens what the command needs. After a failure `handOver` closes what had been opened. */
  open(): StdioOptions {
    const { stdin, stdout, stderr, control, attachment } = this.#prepared.stdio
    this.entries[0] = this.#input(stdin)
    this.entries[1] = this.#output('stdout', stdout)
    this.entries[2] = this.#output('stderr', stderr)
    if (control !== undefined) this.#set(controlDescriptor, 'pipe')
    if (attachment !== undefined) this.#set(attachmentDescriptor, this.#file(attachment.data))
    return this.entries
  }

  /** Gives the process one more descriptor, which stays the caller's. */
  pass(fd: number, descriptor: number): StdioOptions {
    this.#set(descriptor, fd)
    return this.entries
  }

  /** Closes what belongs to the command alone now. */
  handOver(): void {
    for (const fd of this.#handedOver.splice(0)) fs.closeSync(fd)
  }

  /** The host's side; of a command that could not be started, `null`, everything has ended. */
  streams(child: ChildProcess | null): CommandStreams {
    const { stdio } = this.#prepared
    return {
      stdin: this.#stdin(stdio.stdin, child),
      stdout: this.#stream('stdout', stdio.stdout, child),
      stderr: this.#stream('stderr', stdio.stderr, child),
      control: stdio.control === undefined ? null : (controlOf(child) ?? endedDuplex()),
      output: this.#collectors
    }
  }

  #input(mode: SubprocessInput): Entry {
    if (typeof mode === 'string') return mode
    if (mode.data.length > largestFileBytes) return 'pipe'
    try {
      return this.#file(mode.data)
    } catch {
      // Nowhere to put a file: the way through a socket needs none.
      return 'pipe'
    }
  }

  #output(name: OutputName, mode: SubprocessOutput): Entry {
    if (mode === 'ignore' || mode === 'inherit') return mode
    const pipe = this.#resources.pipes.take()
    if (pipe === null) return 'pipe'
    this.#handedOver.push(pipe.write)
    this.#readEnds[name] = pipe.read
    return pipe.write
  }

  #file(data: string | Uint8Array): number {
    const fd = openNameless(data, this.#resources.tempDirs)
    this.#handedOver.push(fd)
    return fd
  }

  /** libuv leaves the descriptors between alone: in the command they are closed. */
  #set(descriptor: number, entry: Entry): void {
    while (this.entries.length < descriptor) this.entries.push('ignore')
    this.entries[descriptor] = entry
  }

  #stdin(mode: SubprocessInput, child: ChildProcess | null): Writable | null {
    if (mode === 'ignore') return null
    // A command that does not read its input is no fault of whoever writes; other listeners still hear of it.
    child?.stdin?.on('error', () => {})
    if (mode === 'pipe') return child?.stdin ?? endedWritable()
    child?.stdin?.end(mode.data)
    return null
  }

  #stream(name: OutputName, mode: SubprocessOutput, child: ChildProcess | null): Readable | null {
    if (mode === 'ignore' || mode === 'inherit') return null
    const fd = this.#readEnds[name]
    const collector = this.#collectors[name]
    if (collector === undefined) return fd === undefined ? (child?.[name] ?? endedReadable()) : readDescriptor(fd)
    if (fd !== undefined) collectDescriptor(fd, collector)
    else if (child?.[name]) collectStream(child[name], collector)
    else collector.endEmpty()
    return null
  }
}

/** The types of child_process stop at descriptor 4. */
function controlOf(child: ChildProcess | null): Duplex | undefined {
  return (child?.stdio as readonly unknown[] | undefined)?.[controlDescriptor] as Duplex | undefined
}
