// Real pipes for stdout and stderr. child_process offers Unix sockets, which a command cannot open again by name
// (`echo > /dev/stdout` fails there), and Node cannot make a pipe itself; opened and unlinked FIFOs are the same to a
// command. They come in batches, since each batch costs a run of mkfifo, and each is used once: a leftover of one command
// may still hold its pipe when the next command starts.

import type * as ChildProcess from 'node:child_process'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Two descriptors of the host; both are closed on exec. */
export interface Pipe {
  readonly read: number
  readonly write: number
}

const batchCount = 16
const refillBelow = 6
const removeAttempts = 50

export class PipePool {
  readonly #pipes: Pipe[] = []
  #refill: Promise<void> | null = null
  /** The batch that is being made beside the event loop. */
  #pending: { readonly folder: string; readonly maker: ChildProcess.ChildProcess } | null = null
  #closed = false
  /**
   * Without mkfifo, or without a folder to make one in, commands get sockets. So they do in a worker thread: Node closes
   * at its end every descriptor that was opened there, whoever has the number by then.
   */
  #usable = process.platform !== 'win32' && isMainThread()

  /** Null if there is no way to real pipes here. */
  take(): Pipe | null {
    if (this.#pipes.length === 0 && this.#usable) this.#fillNow()
    const pipe = this.#pipes.pop() ?? null
    if (this.#pipes.length < refillBelow && this.#usable) this.#refill ??= this.#fillLater()
    return pipe
  }

  async close(): Promise<void> {
    this.#closed = true
    await this.#refill
    for (const pipe of this.#pipes.splice(0)) closePipe(pipe)
  }

  /** The process is exiting: its descriptors go by themselves, a folder of a batch that is being made does not. */
  closeSync(): void {
    this.#closed = true
    if (this.#pending === null) return
    const { folder, maker } = this.#pending
    this.#pending = null
    maker.kill('SIGKILL')
    // It may still be at its last name.
    for (let attempt = 0; !removeBatch(folder) && attempt < removeAttempts; attempt++) pause(1)
  }

  #fillNow(): void {
    const folder = this.#makeFolder()
    if (folder === null) return
    const { spawnSync } = process.getBuiltinModule('node:child_process') as typeof ChildProcess
    if (spawnSync('mkfifo', namesIn(folder), { stdio: 'ignore' }).status !== 0) this.#usable = false
    this.#openAll(folder)
  }

  /** Beside the event loop, while commands still have pipes to take. */
  async #fillLater(): Promise<void> {
    const folder = this.#makeFolder()
    if (folder === null) return
    const { spawn } = process.getBuiltinModule('node:child_process') as typeof ChildProcess
    const maker = spawn('mkfifo', namesIn(folder), { stdio: 'ignore' })
    this.#pending = { folder, maker }
    await new Promise<void>((resolve) => {
      // A failure shows when the pool is empty the next time; until then there is nothing to tell.
      maker.on('error', () => resolve()).on('exit', () => resolve())
    })
    this.#pending = null
    this.#openAll(folder)
    this.#refill = null
  }

  #makeFolder(): string | null {
    try {
      return fs.mkdtempSync(join(tmpdir(), `quiesce-pipes-${process.pid}-`))
    } catch {
      this.#usable = false
      return null
    }
  }

  /** Takes what the batch has into the pool; the names are not needed any more. */
  #openAll(folder: string): void {
    try {
      for (const path of this.#closed ? [] : namesIn(folder)) this.#pipes.push(openFifo(path))
    } catch {
      // mkfifo failed, or the host is out of descriptors: commands make do with what there is.
    }
    removeBatch(folder)
  }
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)
}

/** By the known names: a host that is out of descriptors could not list the folder. False if something is left. */
function removeBatch(folder: string): boolean {
  for (const path of namesIn(folder)) {
    try {
      fs.unlinkSync(path)
    } catch {
      // mkfifo did not get that far.
    }
  }
  try {
    fs.rmdirSync(folder)
  } catch (error) {
    // Somebody else removed it, or put something into it.
    return (error as NodeJS.ErrnoException).code === 'ENOENT'
  }
  return true
}

function isMainThread(): boolean {
  return process.getBuiltinModule('node:worker_threads').isMainThread
}

function namesIn(folder: string): string[] {
  return Array.from({ length: batchCount }, (_, index) => join(folder, String(index)))
}

/** Opening waits for the other side unless it is there: the reading side first, and not waiting. */
function openFifo(path: string): Pipe {
  const read = fs.openSync(path, fs.constants.O_RDONLY | fs.constants.O_NONBLOCK)
  try {
    return { read, write: fs.openSync(path, fs.constants.O_WRONLY) }
  } catch (error) {
    fs.closeSync(read)
    throw error
  }
}

export function closePipe(pipe: Pipe): void {
  fs.closeSync(pipe.read)
  fs.closeSync(pipe.write)
}
